//! The project as a whole: the examples of every diagnostic code's page, and the budgets on all inputs together.

mod it {
    mod agent;
    mod codes;
    mod limits;
    mod overlays;
}
