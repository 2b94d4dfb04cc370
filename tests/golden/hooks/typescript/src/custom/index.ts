// Yours: created once and never overwritten. What is exported here, the package exports as `custom`.

export {};
