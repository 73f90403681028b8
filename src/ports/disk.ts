/** Free space and small files on the daemon's disk. Contract: a file is written whole or not at all. */
export interface Disk {
  freeMb(path: string): Promise<number>
  /** Creates missing parent directories. */
  writeFile(path: string, text: string): Promise<void>
  makeDirectory(path: string): Promise<void>
  /** Does nothing if there is nothing to copy, or if the target exists. */
  copyIfAbsent(from: string, to: string): Promise<void>
  /** The path with all links resolved; the path itself if it doesn't exist. */
  realPath(path: string): Promise<string>
  exists(path: string): Promise<boolean>
  isFile(path: string): Promise<boolean>
  /** Names in a directory; empty if the directory doesn't exist. */
  list(directory: string): Promise<readonly string[]>
}
