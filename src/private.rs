//! What the macros need where they are used. Runs when compiling; what is wrong does not compile.
#![expect(clippy::panic, reason = "only evaluated in a const, where it is a compile error")]

use crate::kind::Kind;
use crate::kind::describe::Describe;
use crate::kind::types::Field;
use crate::kind::types::Type;
use crate::spec::KeySpec;

pub const fn layout_len(fields: &[Field<'_>]) -> usize {
    match Describe::layout(fields, &mut []) {
        Ok(len) => len,
        Err(_) => panic!("more than 16 composites enclose a kind"),
    }
}

pub const fn layout<const N: usize>(fields: &[Field<'_>]) -> [u8; N] {
    let mut room = [0u8; N];
    match Describe::layout(fields, &mut room) {
        Ok(_) => room,
        Err(_) => panic!("more than 16 composites enclose a kind"),
    }
}

pub const fn spec(layout: &'static [u8]) -> KeySpec<'static> {
    match KeySpec::from_layout(layout) {
        Ok(spec) => spec,
        Err(_) => panic!("a field breaks a rule of its kind: a zero width, an empty record, or an unknown order"),
    }
}

pub const fn kind_len(ty: &Type<'_>) -> usize {
    match Describe::kind(ty, &mut []) {
        Ok(len) => len,
        Err(_) => panic!("more than 16 composites enclose a kind"),
    }
}

pub const fn kind_bytes<const N: usize>(ty: &Type<'_>) -> [u8; N] {
    let mut room = [0u8; N];
    match Describe::kind(ty, &mut room) {
        Ok(_) => room,
        Err(_) => panic!("more than 16 composites enclose a kind"),
    }
}

pub const fn kind(bytes: &'static [u8]) -> Kind<'static> {
    match Kind::from_description(bytes) {
        Ok(kind) => kind,
        Err(_) => panic!("the type breaks a rule: a zero width, or an empty record"),
    }
}
