import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Makes all objects of a repository look as if they were written days ago. */
export function ageObjects(gitDirectory: string): void {
  const then = new Date(Date.now() - 3 * 24 * 60 * 60_000)
  const objects = join(gitDirectory, 'objects')
  for (const name of readdirSync(objects, { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(objects, name), then, then)
  }
}
