//! The order of decimals.

use core::cmp::Ordering;
use core::hash::Hash;
use core::hash::Hasher;

use crate::codec::decimal::Class;
use crate::codec::decimal::Decimal;

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let magnitude = || self.adjusted.cmp(&other.adjusted).then_with(|| self.digits().cmp(other.digits()));
        self.class.cmp(&other.class).then_with(|| match self.class {
            Class::Negative => magnitude().reverse(),
            Class::Positive => magnitude(),
            _ => Ordering::Equal,
        })
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.digit_count() == other.digit_count() && self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.class.hash(state);
        self.adjusted.hash(state);
        self.digits().for_each(|digit| state.write_u8(digit));
        // Ends the digits, so that a hash of several decimals tells where one ends.
        state.write_u8(0xff);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decimal::tests::check;
    use crate::codec::decimal::tests::check_pair;
    use crate::codec::decimal::tests::dec;

    #[test]
    fn one_number_is_one_key() {
        let groups = [
            &["100", "1e2", "+0100.00", "1000e-1", "0.1e3", ".1E+3", "100."][..],
            &["0", "-0", "0.00", "+.0", "0e999999999999999999999999999999999999999999", "-0e-99999999999", "000"],
            &["NaN", "+NaN", "-NaN"],
            &["-12.5e3", "-12500", "-0000012500.000"],
            &["1", "1.0", "1.", "01", "10e-1", "1e0", "1e-0", "1E+000000000000000000000000000000000000000000"],
        ];
        for group in groups {
            for a in group {
                check(dec(a));
                for b in group {
                    check_pair(dec(a), dec(b), Ordering::Equal);
                }
            }
        }
    }

    #[test]
    fn numbers_are_in_order() {
        let sorted = [
            "-Infinity",
            "-1e2147483647",
            "-1e100",
            "-100.01",
            "-100",
            "-99.9",
            "-2",
            "-1.00000000000000000000000000000000000000000001",
            "-1",
            "-0.02",
            "-0.01111",
            "-9e-2147483648",
            "-1e-2147483648",
            "0",
            "1e-2147483648",
            "1.1e-2147483648",
            "9e-2147483648",
            "0.01111",
            "0.02",
            "0.1",
            "1",
            "1.00000000000000000000000000000000000000000001",
            "1.01",
            "1.1",
            "2",
            "9",
            "9.9",
            "10",
            "99",
            "100",
            "100.01",
            "255",
            "256",
            "1e100",
            "1e2147483647",
            "9.99e2147483647",
            "Infinity",
            "NaN",
        ];
        for (i, a) in sorted.iter().enumerate() {
            check(dec(a));
            for (j, b) in sorted.iter().enumerate() {
                check_pair(dec(a), dec(b), i.cmp(&j));
            }
        }
    }
}
