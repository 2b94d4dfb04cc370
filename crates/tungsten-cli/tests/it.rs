//! The command line as a user meets it: real processes in temporary folders.

mod it {
    mod bad_input;
    mod commands;
    mod formats;
    mod manifest;
    mod project;
    mod readme;
    mod results;
    mod schema_check;
}
