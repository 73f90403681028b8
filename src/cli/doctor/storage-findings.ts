import type { MusterClient, WireStorage } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { byteWords } from '../render/text/byte-words.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const SHOWN_FOLDERS = 3
const SUBJECT = 'repository'
const REPLACE =
  "cancel the project's open jobs, then: muster shutdown; then move the copy out of `hubs` in the home, and the next job makes a new one"
const RECOVER = 'to recover work from a backup: muster --home NEW_DIRECTORY restore FILE'

/** Checks what the home occupies, and every repository in it. */
export async function storageFindings(client: MusterClient): Promise<readonly Finding[]> {
  const asked = await client.storage()
  if (!asked.ok) return [warn('storage', `could not be checked: ${asked.failure.message}`, 'muster status')]
  const { repositories } = asked.value
  const found = repositories.map(repositoryFinding)
  const problems = found.filter(({ level }) => level !== 'ok')
  const summary = ok('repositories', `${repositories.length} checked`)
  return [sizeFinding(asked.value), ...(problems.length === 0 ? [summary] : problems)]
}

function sizeFinding({ usedBytes, folders }: WireStorage): Finding {
  const largest = folders
    .slice(0, SHOWN_FOLDERS)
    .map(({ name, bytes }) => `${safeLine(name)} ${byteWords(bytes)}`)
  return ok('home size', `${byteWords(usedBytes)}${largest.length === 0 ? '' : `: ${largest.join(', ')}`}`)
}

function repositoryFinding(repository: WireStorage['repositories'][number]): Finding {
  const { project, status } = repository
  const name = `${project} (${safeLine(repository.path ?? 'unknown path')})`
  const problem = safeLine(repository.problem ?? '')
  switch (status) {
    case 'intact':
      return ok(SUBJECT, name)
    case 'missing':
      return warn(
        SUBJECT,
        `Muster's copy of ${name} is gone. The next job makes a new one, but work that was only pinned there is lost`,
        RECOVER,
      )
    case 'damaged':
      return fail(SUBJECT, `Muster's copy of ${name} is damaged: ${problem}`, `${REPLACE};\n${RECOVER}`)
    case 'unknown':
      return warn(SUBJECT, `Muster's copy of ${name} could not be checked: ${problem}`, 'muster doctor')
    default:
      return assertNever(status)
  }
}
