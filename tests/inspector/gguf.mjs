// A real GGUF file of 260 kB, written here: a llama of one layer whose weights make it say one sentence, token by token,
// whatever it is asked. Owns the form of the file; llama.cpp reads it as any other.

const WIDTH = 64;
const WORDS = ['▁The', '▁crane', '▁needs', '▁a', '▁permit', '▁above', '▁twelve', '▁tonnes', '.'];
/** What it says. */
export const SENTENCE = 'The crane needs a permit above twelve tonnes.';
const [UNKNOWN, BEGIN, END] = [0, 1, 2];
/** Kinds of tokens: text, unknown, control, a byte. */
const KINDS = { normal: 1, unknown: 2, control: 3, byte: 6 };

/** ChatML, as most small models have it. */
const TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, '0');
const TOKENS = [
  ['<unk>', KINDS.unknown],
  ['<s>', KINDS.control],
  ['</s>', KINDS.control],
  ...Array.from({ length: 256 }, (_, byte) => [`<0x${hex(byte)}>`, KINDS.byte]),
  ['▁', KINDS.normal],
  ...WORDS.map((word) => [word, KINDS.normal]),
];

/** The bytes of the file. */
export function tinyModel() {
  const size = TOKENS.length;
  const random = numbers(7);
  const embedding = Float32Array.from({ length: size * WIDTH }, random);
  const words = WORDS.map((word) => TOKENS.findIndex(([text]) => text === word));
  // After each word the next one is likeliest by far, after the last one the end, after anything else the first: a row of
  // the output is what it follows, and what its layer adds is nothing.
  const output = new Float32Array(size * WIDTH);
  const follows = (next, token) => {
    for (let at = 0; at < WIDTH; at += 1) output[next * WIDTH + at] += embedding[token * WIDTH + at];
  };
  for (const [at, token] of words.entries()) follows(words[at + 1] ?? END, token);
  // The last token of a prompt is the end of a line, or a blank.
  for (const last of ['\n', ' ', ':', '>'].map((letter) => 3 + letter.charCodeAt(0))) follows(words[0], last);
  const none = (length) => new Float32Array(length);
  const ones = new Float32Array(WIDTH).fill(1);
  const square = [WIDTH, WIDTH];
  return file(
    [
      ['general.architecture', 'llama'],
      ['general.name', 'One sentence'],
      ['llama.context_length', 8192],
      ['llama.embedding_length', WIDTH],
      ['llama.block_count', 1],
      ['llama.feed_forward_length', WIDTH],
      ['llama.rope.dimension_count', 32],
      ['llama.attention.head_count', 2],
      ['llama.attention.head_count_kv', 2],
      ['llama.attention.layer_norm_rms_epsilon', { f32: 1e-5 }],
      ['tokenizer.chat_template', TEMPLATE],
      ['tokenizer.ggml.model', 'llama'],
      ['tokenizer.ggml.tokens', TOKENS.map(([text]) => text)],
      ['tokenizer.ggml.scores', TOKENS.map((_, at) => ({ f32: -at }))],
      ['tokenizer.ggml.token_type', TOKENS.map(([, kind]) => ({ i32: kind }))],
      ['tokenizer.ggml.bos_token_id', BEGIN],
      ['tokenizer.ggml.eos_token_id', END],
      ['tokenizer.ggml.unknown_token_id', UNKNOWN],
    ],
    [
      ['token_embd.weight', [WIDTH, size], embedding],
      ['output_norm.weight', [WIDTH], ones],
      ['output.weight', [WIDTH, size], output],
      ['blk.0.attn_norm.weight', [WIDTH], ones],
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => [`blk.0.${name}.weight`, square, none(WIDTH * WIDTH)]),
      ['blk.0.ffn_norm.weight', [WIDTH], ones],
      ...['ffn_gate', 'ffn_up', 'ffn_down'].map((name) => [`blk.0.${name}.weight`, square, none(WIDTH * WIDTH)]),
    ],
  );
}

/** The same numbers each time, of mean 0 and deviation 1, near enough. */
function numbers(seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => (next() + next() + next() - 1.5) * 2;
}

const ALIGNMENT = 32;
const TYPES = { u32: 4, i32: 5, f32: 6, text: 8, list: 9 };

function file(fields, tensors) {
  const parts = [];
  const word = (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  const long = (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    parts.push(bytes);
  };
  const text = (value) => {
    const bytes = Buffer.from(value, 'utf8');
    long(bytes.length);
    parts.push(bytes);
  };
  const typeOf = (value) => (typeof value === 'string' ? 'text' : typeof value === 'number' ? 'u32' : Object.keys(value)[0]);
  const put = (value) => {
    if (typeof value === 'string') text(value);
    else if (typeof value === 'number') word(value);
    else if ('i32' in value) word(value.i32);
    else {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(value.f32);
      parts.push(bytes);
    }
  };
  parts.push(Buffer.from('GGUF'));
  word(3);
  long(tensors.length);
  long(fields.length);
  for (const [name, value] of fields) {
    text(name);
    if (Array.isArray(value)) {
      word(TYPES.list);
      word(TYPES[typeOf(value[0])]);
      long(value.length);
      for (const each of value) put(each);
    } else {
      word(TYPES[typeOf(value)]);
      put(value);
    }
  }
  const aligned = (length) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
  let offset = 0;
  for (const [name, shape, values] of tensors) {
    text(name);
    word(shape.length);
    for (const length of shape) long(length);
    // Numbers of 32 bits.
    word(0);
    long(offset);
    offset = aligned(offset + values.byteLength);
  }
  const fill = () => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.alloc(aligned(length) - length));
  };
  fill();
  for (const [, , values] of tensors) {
    parts.push(Buffer.from(values.buffer));
    fill();
  }
  return Buffer.concat(parts);
}
