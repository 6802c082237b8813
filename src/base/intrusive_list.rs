//! Lists whose links are fields of the records. A record enters and leaves in a constant number of steps, and the list needs no
//! memory. Owns how links are joined, followed and cut. The owner of a list stores its first and last record, and each change
//! returns them.

use super::slab::{Clear, NONE, Slab};

/// The first and the last of a list, or [`NONE`] twice.
pub(crate) type Ends = (u32, u32);

/// The records of a list, from the first on; `next`: the link to follow.
#[inline]
pub(crate) fn walk<T: Clear>(slab: &Slab<T>, first: u32, next: impl Fn(&T) -> u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), move |at| Some(next(slab.at(*at)))).take_while(|at| *at != NONE)
}

/// Appends a record to a list. `links`: its links to the neighbours before and after it.
pub(crate) fn append<T: Clear>(slab: &mut Slab<T>, ends: Ends, index: u32, links: impl Fn(&mut T) -> (&mut u32, &mut u32)) -> Ends {
    let (first, last) = ends;
    let (before, after) = links(slab.at_mut(index));
    (*before, *after) = (last, NONE);
    if last == NONE {
        return (index, index);
    }
    *links(slab.at_mut(last)).1 = index;
    (first, index)
}

/// Removes a record from its list and clears its links.
pub(crate) fn take_out<T: Clear>(slab: &mut Slab<T>, ends: Ends, index: u32, links: impl Fn(&mut T) -> (&mut u32, &mut u32)) -> Ends {
    let (before, after) = links(slab.at_mut(index));
    let (before, after) = (std::mem::replace(before, NONE), std::mem::replace(after, NONE));
    if before != NONE {
        *links(slab.at_mut(before)).1 = after;
    }
    if after != NONE {
        *links(slab.at_mut(after)).0 = before;
    }
    let (first, last) = ends;
    (if before == NONE { after } else { first }, if after == NONE { before } else { last })
}

/// Removes a record from a list with links in one direction, which nearly always has one record. Returns the first record.
pub(crate) fn take_out_of_short<T: Clear>(slab: &mut Slab<T>, first: u32, index: u32, next: impl Fn(&mut T) -> &mut u32) -> u32 {
    let after = *next(slab.at_mut(index));
    if first == index {
        return after;
    }
    let mut at = first;
    while at != NONE {
        let link = next(slab.at_mut(at));
        if *link == index {
            *link = after;
            break;
        }
        at = *link;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Default)]
    struct Record {
        before: u32,
        after: u32,
    }

    impl Clear for Record {
        fn clear(&mut self) {
            *self = Self::default();
        }
    }

    proptest! {
        /// Against a list with memory of its own.
        #[test]
        fn records_keep_their_order_whichever_go(steps in prop::collection::vec((0_u32..8, any::<bool>()), 0..60)) {
            let mut slab = Slab::default();
            for _ in 0..8 {
                slab.insert(Record { before: NONE, after: NONE });
            }
            let (mut ends, mut short, mut model) = ((NONE, NONE), NONE, Vec::new());
            for (index, add) in steps {
                let known = model.iter().position(|other| *other == index);
                match (add, known) {
                    (true, None) => {
                        ends = append(&mut slab, ends, index, |record| (&mut record.before, &mut record.after));
                        model.push(index);
                    }
                    (false, Some(at)) => {
                        ends = take_out(&mut slab, ends, index, |record| (&mut record.before, &mut record.after));
                        model.remove(at);
                    }
                    _ => {}
                }
                let forth: Vec<u32> = walk(&slab, ends.0, |record| record.after).collect();
                let mut back: Vec<u32> = walk(&slab, ends.1, |record| record.before).collect();
                back.reverse();
                prop_assert_eq!(&forth, &model);
                prop_assert_eq!(&back, &model);
                short = ends.0;
            }
            // The same links one way.
            while let Some(index) = model.pop() {
                short = take_out_of_short(&mut slab, short, index, |record| &mut record.after);
                let forth: Vec<u32> = walk(&slab, short, |record| record.after).collect();
                prop_assert_eq!(&forth, &model);
            }
        }
    }
}
