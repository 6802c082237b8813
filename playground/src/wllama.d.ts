// What the playground uses of @wllama/wllama: its own types come as sources, which the compiler would check as ours.

export declare class Wllama {
  constructor(paths: { readonly default: string });
  loadModel(files: readonly Blob[], options: { readonly n_ctx: number }): Promise<void>;
  createChatCompletion(options: {
    readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
    readonly max_tokens: number;
    readonly abortSignal: AbortSignal;
  }): Promise<{
    readonly choices: readonly { readonly message: { readonly content?: string } }[];
    readonly usage?: { readonly total_tokens: number };
  }>;
}
