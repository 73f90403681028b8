import type { Unready } from '../../../domain/agent/unready.ts'

/** The version in what a program prints about itself. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+[^\s)]*/.exec(text)?.[0]
}

/** Compares the numbers of two versions and ignores anything else. */
export function isOlder(version: string, than: string): boolean {
  const own = numbersOf(version)
  const other = numbersOf(than)
  const index = other.findIndex((number, place) => number !== (own[place] ?? 0))
  return index !== -1 && (own[index] ?? 0) < (other[index] ?? 0)
}

/** Why a program of this version can't work; undefined if it can. */
export function findOutdated(
  { title, install, oldest }: { readonly title: string; readonly install: string; readonly oldest?: string },
  version: string,
): Unready | undefined {
  if (oldest === undefined || !isOlder(version, oldest)) return undefined
  return {
    cause: 'version',
    reason: `${title} ${version} is too old; Muster needs ${oldest} or newer`,
    remedy: `Run \`${install}@latest\``,
  }
}

function numbersOf(version: string): readonly number[] {
  return version
    .split('-', 1)
    .flatMap((release) => release.split('.').map((part) => Number.parseInt(part, 10) || 0))
}
