//! Small readers that everything uses: hex, and short forms for messages.

/// Bytes of hex digits, two each.
pub(crate) fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("{:?} is not hex", short(text));
    if text.len() % 2 != 0 {
        return Err(wrong());
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect::<Option<Vec<u8>>>().ok_or_else(wrong)
}

/// Hex, cut where it is long.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let all: String = bytes.iter().take(100).map(|b| format!("{b:02x}")).collect();
    if bytes.len() > 100 { format!("{all}… ({} bytes)", bytes.len()) } else { all }
}

/// A text, cut where it is long.
pub(crate) fn short(text: &str) -> String {
    let front: String = text.chars().take(120).collect();
    if front.len() < text.len() { format!("{front}… ({} bytes)", text.len()) } else { front }
}

/// Keeps something for as long as the test runs, so that it can be borrowed without end.
pub(crate) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Keeps a slice.
pub(crate) fn keep_all<T>(values: Vec<T>) -> &'static [T] {
    values.leak()
}

/// Says that two byte strings are the same.
pub(crate) fn same_bytes(what: &str, got: &[u8], due: &[u8]) -> Result<(), String> {
    if got == due { Ok(()) } else { Err(format!("{what}: {} where {} is due", hex(got), hex(due))) }
}

/// Says that two things are equal.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, due: &T) -> Result<(), String> {
    if got == due {
        return Ok(());
    }
    Err(format!("{what}: {} where {} is due", short(&format!("{got:?}")), short(&format!("{due:?}"))))
}
