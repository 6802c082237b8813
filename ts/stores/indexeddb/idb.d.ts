// The types of the package `idb` that the store uses; programs that use the store install it.

declare module 'idb' {
  type Requests<T> = {
    [K in keyof T]: T[K] extends (...values: infer A) => IDBRequest<infer R> ? (...values: A) => Promise<R> : T[K];
  };
  export interface IDBPTransaction {
    readonly done: Promise<void>;
    objectStore(
      name: string,
    ): Requests<Pick<IDBObjectStore, 'add' | 'put' | 'get' | 'getAll' | 'getAllKeys' | 'delete' | 'clear' | 'count'>>;
  }
  export interface IDBPDatabase {
    createObjectStore(name: string): unknown;
    readonly objectStoreNames: DOMStringList;
    transaction(stores: string[], mode: IDBTransactionMode, options?: IDBTransactionOptions): IDBPTransaction;
    close(): void;
  }
  export function openDB(
    name: string,
    version: number,
    callbacks: { upgrade(database: IDBPDatabase): void; blocking(): void; terminated(): void },
  ): Promise<IDBPDatabase>;
}
