import { makeDirectory } from './make-directory.ts'

/** Creates a home. As root, the database runs as another user, who must be able to enter it. */
export async function makeHome(home: string, isRoot: boolean): Promise<void> {
  await makeDirectory(home, isRoot ? 0o711 : 0o700)
}
