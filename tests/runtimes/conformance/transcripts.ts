// The golden transcripts by name. `run.mjs` puts their texts here: no runtime has to read files.

const transcripts: Readonly<Record<string, string>> = {};

export default transcripts;
