/** A connection of better-sqlite3, node:sqlite (opened with allowExtension) or bun:sqlite. */
export interface Db {
  loadExtension(file: string, entrypoint?: string): unknown;
}
/** The path of the extension, as loadExtension takes it. Throws where no package for this platform is installed. */
export declare function getLoadablePath(): string;
/** Gives a connection the functions and tables of s2v. */
export declare function load(db: Db): void;
