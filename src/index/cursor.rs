//! Page cursors: where a page of a query ended, as a token that only the same query accepts.
//! `FORMAT.md` §7.
//!
//! # Layout
//! - plain: `4f 4b 54 01`, 32 bytes of SHA-256 over the scope, the last key to the end
//! - sealed: `4f 4b 54 02`, 32 bytes of HMAC-SHA-256 over magic, scope digest and key, then the key
//!
//! The scope is blob contract, blob snapshot id, blob range, and one byte for the direction.

use hmac::Hmac;
use hmac::KeyInit;
use hmac::Mac;
use sha2::Digest;
use sha2::Sha256;

use crate::error::Error;
use crate::index::contract::IndexContract;
use crate::range::ByteRange;
use crate::spec::KeySpec;

const PLAIN: [u8; 4] = *b"OKT\x01";
const SEALED: [u8; 4] = *b"OKT\x02";
/// Magic and digest or seal.
const HEAD: usize = 36;

/// Which way a query walks its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the least key; a page resumes after the last key of the one before.
    Forward,
    /// From the greatest key; a page resumes before the last key of the one before.
    Backward,
}

/// Where a walk in pages stands. Three states, so that the end is never taken for the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page<'t> {
    /// Before the first page.
    Start,
    /// Behind a page: the token that was issued for it.
    At(&'t [u8]),
    /// Behind the last page.
    Finished,
}

/// What a page cursor belongs to: a contract, a snapshot, a range and a direction. Issues the
/// cursors of one query and resumes them; those of any other are refused.
///
/// The range is the query's original one on every page. The snapshot id is the engine's: pages
/// under one id must see one state of the index.
///
/// ```
/// use isotone::{Asc, ByteRange, Direction, IndexContract, Page, PageScope, Type, key_spec};
/// let spec = key_spec![Type::Bytes => Asc];
/// let mut room = [0u8; 64];
/// let contract = IndexContract::new(b"readings", 1, &spec, &[b"device"], &mut room)?;
/// let range = ByteRange::new(&b"a"[..], Some(&b"b"[..]));
/// let scope = PageScope::new(contract, b"s1", range, Direction::Forward);
///
/// let mut token = [0u8; 64];
/// let page = scope.issue(b"ab\0\0", &mut token)?; // the page's last key
/// let rest = scope.resume(page)?; // scan this for the next page
/// assert!(rest.excludes_start() && rest.start() == b"ab\0\0");
/// assert_eq!(scope.resume(Page::Start)?, range);
/// assert!(scope.resume(Page::Finished)?.is_empty());
/// # Ok::<(), isotone::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct PageScope<'a> {
    spec: KeySpec<'a>,
    range: ByteRange<&'a [u8]>,
    direction: Direction,
    digest: [u8; 32],
}

impl<'a> PageScope<'a> {
    /// The scope of a query over `range` in an index.
    pub fn new(contract: IndexContract<'a>, snapshot: &[u8], range: ByteRange<&'a [u8]>, direction: Direction) -> Self {
        let digest = scope_digest(contract.as_bytes(), snapshot, &range, direction);
        PageScope { spec: contract.key_spec(), range, direction, digest }
    }

    /// The same scope where every key has `prefix` before it; see [`KeySpec::under`]. The prefix is
    /// part of the range, and so of the digest, already.
    pub fn under(self, prefix: &'a [u8]) -> Self {
        PageScope { spec: self.spec.under(prefix), ..self }
    }

    /// The 32 bytes that stand for the scope: SHA-256.
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Size of a cursor for a last key of this many bytes.
    pub const fn token_size(key_len: usize) -> usize {
        HEAD.saturating_add(key_len)
    }

    /// Issues a cursor for a page that ends with `last_key` and is not the last one.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when `last_key` is not one complete key of the layout,
    /// [`Error::CursorOutsideRange`] when it does not lie in the range, [`Error::ShortBuffer`].
    pub fn issue<'t>(&self, last_key: &[u8], room: &'t mut [u8]) -> Result<Page<'t>, Error> {
        self.check_key(last_key)?;
        write_token(PLAIN, &self.digest, last_key, room)
    }

    /// Issues a sealed cursor: for tokens that leave the trust boundary. They show the key but
    /// can't be changed without the secret.
    ///
    /// # Errors
    /// As [`issue`](Self::issue); [`Error::InvalidValue`] at 0 for an empty secret.
    pub fn issue_sealed<'t>(&self, secret: &[u8], last_key: &[u8], room: &'t mut [u8]) -> Result<Page<'t>, Error> {
        let seal = self.seal(secret, last_key)?;
        self.check_key(last_key)?;
        let seal: [u8; 32] = seal.finalize().into_bytes().into();
        write_token(SEALED, &seal, last_key, room)
    }

    /// What is left of the range behind a page. Borrows the token.
    ///
    /// # Errors
    /// In this order: [`Error::InvalidCursor`] when the token is not a plain cursor,
    /// [`Error::CursorScopeMismatch`] when it belongs to another query, [`Error::InvalidCursor`]
    /// when its key is not one complete key, [`Error::CursorOutsideRange`] when that lies outside.
    pub fn resume<'t>(&self, page: Page<'t>) -> Result<ByteRange<&'t [u8]>, Error>
    where
        'a: 't,
    {
        self.resume_with(
            page,
            PLAIN,
            |digest, _| {
                if *digest == self.digest { Ok(()) } else { Err(Error::CursorScopeMismatch) }
            },
        )
    }

    /// What is left of the range behind a page whose cursor was sealed. Borrows the token.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), but another query's cursor is [`Error::InvalidCursor`] like a
    /// forged one; [`Error::InvalidValue`] at 0 for an empty secret.
    pub fn resume_sealed<'t>(&self, secret: &[u8], page: Page<'t>) -> Result<ByteRange<&'t [u8]>, Error>
    where
        'a: 't,
    {
        if secret.is_empty() {
            return Err(Error::InvalidValue { at: 0 });
        }
        self.resume_with(page, SEALED, |seal, key| {
            // Compares in constant time.
            self.seal(secret, key)?.verify_slice(seal).map_err(|_| Error::InvalidCursor)
        })
    }

    fn resume_with<'t>(
        &self,
        page: Page<'t>,
        magic: [u8; 4],
        check: impl FnOnce(&[u8; 32], &[u8]) -> Result<(), Error>,
    ) -> Result<ByteRange<&'t [u8]>, Error>
    where
        'a: 't,
    {
        let token = match page {
            Page::Start => return Ok(self.range),
            Page::Finished => return Ok(ByteRange::EMPTY),
            Page::At(token) => token,
        };
        let rest = token.strip_prefix(&magic).ok_or(Error::InvalidCursor)?;
        let (digest, key) = rest.split_first_chunk::<32>().ok_or(Error::InvalidCursor)?;
        check(digest, key)?;
        self.check_key(key)?;
        Ok(match self.direction {
            Direction::Forward => self.range.resume_after(key),
            Direction::Backward => self.range.resume_before(key),
        })
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        self.spec.check(key).map_err(|_| Error::InvalidCursor)?;
        if self.range.contains(key) { Ok(()) } else { Err(Error::CursorOutsideRange) }
    }

    fn seal(&self, secret: &[u8], key: &[u8]) -> Result<Hmac<Sha256>, Error> {
        if secret.is_empty() {
            return Err(Error::InvalidValue { at: 0 });
        }
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(|_| Error::InvalidValue { at: 0 })?;
        mac.update(&SEALED);
        mac.update(&self.digest);
        mac.update(key);
        Ok(mac)
    }
}

impl core::fmt::Debug for PageScope<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PageScope")
            .field("range", &self.range)
            .field("direction", &self.direction)
            .finish_non_exhaustive()
    }
}

fn write_token<'t>(magic: [u8; 4], digest: &[u8; 32], key: &[u8], room: &'t mut [u8]) -> Result<Page<'t>, Error> {
    let needed = PageScope::token_size(key.len());
    let short = Error::ShortBuffer { needed, available: room.len() };
    let token = room.get_mut(..needed).ok_or(short)?;
    let (head, tail) = token.split_at_mut_checked(HEAD).ok_or(short)?;
    let (head, rest) = head.split_first_chunk_mut::<4>().ok_or(short)?;
    *head = magic;
    *rest.first_chunk_mut::<32>().ok_or(short)? = *digest;
    tail.copy_from_slice(key);
    Ok(Page::At(token))
}

/// A length as a blob has it. None of these lengths comes near 4 GiB.
fn length(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_be_bytes()
}

fn scope_digest(contract: &[u8], snapshot: &[u8], range: &ByteRange<&[u8]>, direction: Direction) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(length(contract.len()));
    digest.update(contract);
    digest.update(length(snapshot.len()));
    digest.update(snapshot);
    if range.is_empty() {
        digest.update(length(1));
        digest.update([0]);
    } else {
        let extra: &[u8] = if range.excludes_start() { &[0] } else { &[] };
        let start_len = range.start().len().saturating_add(extra.len());
        let end_len = range.end().map_or(0, |end| end.len().saturating_add(4));
        // Two bytes say "not empty" and whether there is an end; four are the start's length.
        digest.update(length(start_len.saturating_add(end_len).saturating_add(6)));
        digest.update([1]);
        digest.update(length(start_len));
        digest.update(range.start());
        digest.update(extra);
        match range.end() {
            None => digest.update([0]),
            Some(end) => {
                digest.update([1]);
                digest.update(length(end.len()));
                digest.update(end);
            }
        }
    }
    digest.update([match direction {
        Direction::Forward => 0,
        Direction::Backward => 1,
    }]);
    digest.finalize().into()
}
