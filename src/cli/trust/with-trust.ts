import type { ApiError, MusterClient, Result } from '../../client/index.ts'
import { failure, success } from '../../domain/result.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { startRefusal } from '../daemon/start-refusal.ts'
import { EXIT } from '../exit-code.ts'
import type { StartSignals } from '../follow/guard-start.ts'
import type { Problem } from '../problem.ts'
import { askPerson } from './ask-person.ts'
import { trustLines } from './trust-lines.ts'

/** Trusts every configuration without asking. For automation only. */
export function trustsAll({ environment }: CommandNeeds['surroundings']): boolean {
  return environment['MUSTER_TRUST'] === 'all'
}

/**
 * Makes a call that needs a trusted configuration. If the daemon refuses it for that reason, the person at the terminal
 * is asked once, and the call is made again. A person who has pressed Ctrl-C isn't asked.
 */
export async function withTrust<Data>(
  needs: CommandNeeds,
  client: MusterClient,
  repositoryPath: string,
  call: () => Promise<Result<Data, ApiError>>,
  before?: StartSignals,
): Promise<Result<Data, Problem>> {
  const first = await call()
  if (first.ok) return first
  const isUntrusted = first.failure.type === 'configuration-untrusted'
  const mayAsk = needs.output.isTerminal || trustsAll(needs.surroundings)
  const hasLeft = before?.interrupted.aborted === true || before?.ending.aborted === true
  if (!isUntrusted || !mayAsk || hasLeft) return failure(await startRefusal(needs, client, first.failure))
  const trusted = await obtainTrust(needs, client, repositoryPath)
  if (!trusted.ok) return trusted
  const second = await call()
  return second.ok ? second : failure(await startRefusal(needs, client, second.failure))
}

async function obtainTrust(
  needs: CommandNeeds,
  client: MusterClient,
  repositoryPath: string,
): Promise<Result<void, Problem>> {
  const { output, surroundings } = needs
  const shown = await client.getTrust(repositoryPath)
  if (!shown.ok) return failure(apiProblem(shown.failure))
  if (trustsAll(surroundings))
    output.note(`trusting ${repositoryPath}/muster.yaml because MUSTER_TRUST is all`)
  else {
    for (const line of trustLines(shown.value, output.paint)) output.printExact(line)
    if ((await askPerson(needs, 'Trust these settings?')) !== 'yes')
      return failure(notTrusted(repositoryPath))
  }
  const trusted = await client.trustConfiguration(repositoryPath, shown.value.digest)
  return trusted.ok ? success(undefined) : failure(apiProblem(trusted.failure))
}

/** The person's own answer, so there is nothing to explain. */
export function notTrusted(repositoryPath: string): Problem {
  return {
    type: 'configuration-untrusted',
    exitCode: EXIT.usage,
    message: 'you did not trust this muster.yaml, so nothing was started',
    next: `muster trust ${shellWord(repositoryPath)}`,
  }
}

/** Trusts a file that this command has just written for the person. Undefined if that worked. */
export async function trustOwnFile(
  client: MusterClient,
  repositoryPath: string,
): Promise<ApiError | undefined> {
  const shown = await client.getTrust(repositoryPath)
  if (!shown.ok) return shown.failure
  const trusted = await client.trustConfiguration(repositoryPath, shown.value.digest)
  return trusted.ok ? undefined : trusted.failure
}
