// Exported functions and memory layout for the browser.
