//! A reader of JSON, as far as the components need one.

use std::iter::Peekable;
use std::str::Chars;

/// Deepest nesting that is read.
const DEEPEST: usize = 32;

/// A JSON value. Numbers do not occur: scalars are strings in their own component form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number as it is spelled.
    Number(String),
    String(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    pub(crate) fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text.chars().peekable() };
        let value = reader.value(DEEPEST)?;
        match reader.next_solid() {
            None => Ok(value),
            Some(c) => Err(format!("{c:?} behind the end of the JSON")),
        }
    }

    /// A member of an object.
    pub(crate) fn get(&self, name: &str) -> Result<&Json, String> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
        .ok_or_else(|| format!("no member {name:?}"))
    }

    /// The members of a list.
    pub(crate) fn list(&self) -> Result<&[Json], String> {
        match self {
            Json::List(values) => Ok(values),
            other => Err(format!("{other:?} is no list")),
        }
    }

    /// A bool.
    pub(crate) fn bool(&self) -> Result<bool, String> {
        match self {
            Json::Bool(value) => Ok(*value),
            other => Err(format!("{other:?} is no bool")),
        }
    }

    /// A whole number.
    pub(crate) fn number<T: std::str::FromStr>(&self) -> Result<T, String> {
        match self {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        }
        .ok_or_else(|| format!("{self:?} is no number of this size"))
    }
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
}

impl Reader<'_> {
    /// Passes over white space; gives what follows, and passes over that too.
    fn next_solid(&mut self) -> Option<char> {
        while self.rest.next_if(|c| " \t\r\n".contains(*c)).is_some() {}
        self.rest.next()
    }

    fn due(&mut self, due: char) -> Result<(), String> {
        match self.next_solid() {
            Some(c) if c == due => Ok(()),
            other => Err(format!("{other:?} where {due:?} is due")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        let depth = depth.checked_sub(1).ok_or("nested too deep")?;
        match self.next_solid() {
            Some('n') => self.word("ull", Json::Null),
            Some('t') => self.word("rue", Json::Bool(true)),
            Some('f') => self.word("alse", Json::Bool(false)),
            Some('"') => self.string().map(Json::String),
            Some('[') => self.many(']', |r| r.value(depth)).map(Json::List),
            Some('{') => {
                let members = self.many('}', |r| {
                    r.due('"')?;
                    let name = r.string()?;
                    r.due(':')?;
                    Ok((name, r.value(depth)?))
                });
                members.map(Json::Object)
            }
            Some(c) if c == '-' || c.is_ascii_digit() => {
                let mut text = c.to_string();
                while let Some(c) = self.rest.next_if(|c| c.is_ascii_digit() || "+-.eE".contains(*c)) {
                    text.push(c);
                }
                Ok(Json::Number(text))
            }
            other => Err(format!("{other:?} begins no JSON value")),
        }
    }

    fn word(&mut self, rest: &str, value: Json) -> Result<Json, String> {
        if rest.chars().all(|due| self.rest.next() == Some(due)) {
            Ok(value)
        } else {
            Err(format!("a word that does not end in {rest:?}"))
        }
    }

    /// What stands between brackets, after the opening one.
    fn many<T>(&mut self, end: char, one: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut all = Vec::new();
        while self.rest.next_if(|c| " \t\r\n".contains(*c)).is_some() {}
        if self.rest.next_if_eq(&end).is_some() {
            return Ok(all);
        }
        loop {
            all.push(one(self)?);
            match self.next_solid() {
                Some(',') => {}
                Some(c) if c == end => return Ok(all),
                other => return Err(format!("{other:?} where ',' or {end:?} is due")),
            }
        }
    }

    /// A string, after its opening quote.
    fn string(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.rest.next().ok_or("a string without its end")? {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c if c < ' ' => return Err(format!("{c:?} in a string")),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        Ok(match self.rest.next() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                // One unit; components hold hex and numbers, never a scalar that takes two.
                let digits: String = self.rest.by_ref().take(4).collect();
                let unit = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
                unit.and_then(char::from_u32).ok_or_else(|| format!("\\u{digits} is no scalar"))?
            }
            other => return Err(format!("escape {other:?}")),
        })
    }
}
