/** Room and small files on the daemon's own disk. Contract: files are written whole or not at all. */
export interface Disk {
  freeMb(path: string): Promise<number>
  /** Makes the folders it lies in, if need be. */
  writeFile(path: string, text: string): Promise<void>
  makeDirectory(path: string): Promise<void>
  /** Nothing happens when there is nothing to copy, or something in the way. */
  copyIfAbsent(from: string, to: string): Promise<void>
  /** What a path means with all links followed; itself when there is nothing. */
  realPath(path: string): Promise<string>
  exists(path: string): Promise<boolean>
  isFile(path: string): Promise<boolean>
  /** Names in a directory; empty when there is none. */
  list(directory: string): Promise<readonly string[]>
}
