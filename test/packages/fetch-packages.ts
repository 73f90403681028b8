import { execFile } from 'node:child_process'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What npm prints if it can't reach the network, as opposed to a package that is gone. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/
const TIMEOUT_MS = 60_000

/** Either where each package is, by its name without the version, or why none can be fetched. */
export type Fetched =
  | { readonly type: 'fetched'; readonly packages: ReadonlyMap<string, string> }
  | { readonly type: 'unreachable'; readonly reason: string }

/** Downloads packages in exact versions, as npm is configured here, and unpacks them below the directory. */
export async function fetchPackages(directory: string, specifiers: readonly string[]): Promise<Fetched> {
  const packed = await pack(directory, specifiers)
  if (packed.type === 'unreachable') return packed
  const packages = new Map<string, string>()
  for (const { name, filename } of packed.files) {
    const path = join(directory, name)
    await mkdir(path)
    await run('tar', ['-xzf', join(directory, filename), '-C', path])
    // The folder in the archive is called "package".
    await rename(join(path, 'package'), `${path}-unpacked`)
    await rm(path, { recursive: true })
    await rename(`${path}-unpacked`, path)
    packages.set(name, path)
  }
  return { type: 'fetched', packages }
}

type Packed =
  | {
      readonly type: 'packed'
      readonly files: readonly { readonly name: string; readonly filename: string }[]
    }
  | { readonly type: 'unreachable'; readonly reason: string }

async function pack(directory: string, specifiers: readonly string[]): Promise<Packed> {
  const words = ['pack', '--json', '--fetch-retries=1', '--pack-destination', directory, ...specifiers]
  try {
    const { stdout } = await run('npm', words, { cwd: directory, timeout: TIMEOUT_MS })
    return { type: 'packed', files: JSON.parse(stdout) }
  } catch (error) {
    // With --json, npm prints its errors on standard output too.
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    const code = UNREACHABLE.exec(`${stdout}${stderr}`)?.[0]
    if (code === undefined) throw error
    return { type: 'unreachable', reason: `npm cannot download packages here: ${code}` }
  }
}
