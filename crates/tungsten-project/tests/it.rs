//! The project as a whole: the examples of every diagnostic code's page.

mod it {
    mod codes;
}
