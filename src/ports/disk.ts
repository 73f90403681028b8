/** Room and small files on the daemon's own disk. Contract: files are written whole or not at all. */
export interface Disk {
  freeMb(path: string): Promise<number>
  writeFile(path: string, text: string): Promise<void>
  exists(path: string): Promise<boolean>
  /** Names in a directory; empty when there is none. */
  list(directory: string): Promise<readonly string[]>
}
