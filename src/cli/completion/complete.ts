import { join } from 'node:path'
import type { Command } from 'commander'
import type { MusterClient } from '../../client/index.ts'
import { homeDirectory } from '../../home/home-directory.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { Surroundings } from '../surroundings.ts'
import { type Candidate, type Completion, completeWords } from './complete-words.ts'

/** A person who pressed Tab doesn't wait longer. */
const PATIENCE_MS = 3_000
const DESCRIPTION_LIMIT = 60

/**
 * Prints what can stand at the end of `words`, for a shell. Never starts a daemon, never waits for long, and prints
 * nothing if something is wrong, because it runs in the middle of a person's line.
 */
export async function complete(
  surroundings: Surroundings,
  tree: Command,
  words: readonly string[],
): Promise<void> {
  const current = words.at(-1) ?? ''
  const completion = completeWords(tree, words)
  if (completion.type === 'files') return void surroundings.stdout.write(':files\n')
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
  const late = new Promise<readonly Candidate[]>((resolve) => {
    patience.signal.addEventListener('abort', () => resolve([]), { once: true })
  })
  const found = await Promise.race([
    candidatesOf(surroundings, completion, words).catch((): readonly Candidate[] => []),
    late,
  ])
  clearTimeout(timer)
  const lines = found.filter(({ value }) => value.startsWith(current)).map(lineOf)
  surroundings.stdout.write(lines.join(''))
}

async function candidatesOf(
  surroundings: Surroundings,
  completion: Exclude<Completion, { type: 'files' }>,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  if (completion.type === 'words') return completion.candidates
  const client = await findClient(surroundings, words)
  if (client === undefined) return []
  const { agentCandidates, playbookCandidates, recordCandidates, roleCandidates } = await import(
    './record-candidates.ts'
  )
  if (completion.type === 'playbooks') return playbookCandidates(client, surroundings.cwd)
  if (completion.type === 'agents') {
    const agents = await agentCandidates(client, surroundings.cwd)
    return agents.map((agent) => ({ ...agent, value: `${completion.role ?? ''}${agent.value}` }))
  }
  if (completion.type === 'roles') return roleCandidates(client, surroundings.cwd, completion.run)
  const records = await recordCandidates(client, completion.kinds, surroundings.cwd)
  if (completion.withRoles !== true) return records
  return [...records, ...(await roleCandidates(client, surroundings.cwd))]
}

/** The daemon that the words name, or the home's, if it is running. */
async function findClient(
  surroundings: Surroundings,
  words: readonly string[],
): Promise<MusterClient | undefined> {
  const home = homeDirectory(surroundings, flagValue(words, '--home'))
  const url = flagValue(words, '--server')
  if (url === undefined) {
    const { probeDaemon } = await import('../../home/probe-daemon.ts')
    const probe = await probeDaemon(home)
    return probe.type === 'ready' ? probe.client : undefined
  }
  const [{ connect }, { readToken }] = await Promise.all([
    import('../../client/index.ts'),
    import('../../home/daemon-file.ts'),
  ])
  const token = await readToken(flagValue(words, '--token-file') ?? join(home, 'token'))
  return token === undefined ? undefined : connect({ url, token })
}

function flagValue(words: readonly string[], flag: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${flag}=`))
  if (joined !== undefined) return joined.slice(flag.length + 1)
  const place = words.indexOf(flag)
  // The last word is still being typed.
  return place === -1 || place + 2 >= words.length ? undefined : words[place + 1]
}

function lineOf({ value, description = '' }: Candidate): string {
  return description === '' ? `${value}\n` : `${value}\t${safeLine(description, DESCRIPTION_LIMIT)}\n`
}
