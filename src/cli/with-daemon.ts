import type { ApiError, MusterClient } from '../client/index.ts'
import { failure, type Result } from '../domain/result.ts'
import { apiProblem } from './api-problem.ts'
import type { CommandNeeds } from './command-needs.ts'
import { connectDaemon } from './connect-daemon.ts'
import type { DaemonLink } from './daemon/daemon-link.ts'
import type { Outcome } from './problem.ts'
import { type FindableKind, type FoundId, findNewest, resolveId } from './resolve-id.ts'

/** Runs `work` with a client of the daemon. If the daemon cannot be reached, that is the command's outcome. */
export async function withDaemon(
  needs: CommandNeeds,
  work: (client: MusterClient, link: DaemonLink) => Promise<Outcome>,
): Promise<Outcome> {
  const connected = await connectDaemon(needs)
  return connected.ok ? work(connected.value.client, connected.value) : connected
}

type FoundWork = (client: MusterClient, found: FoundId, link: DaemonLink) => Promise<Outcome>

/** Runs `work` with the one record that `text` names; without a text, with the newest job, whose name is printed. */
export async function withFound(
  needs: CommandNeeds,
  text: string | undefined,
  kinds: readonly FindableKind[],
  work: FoundWork,
): Promise<Outcome> {
  return withRecord(needs, { text, kinds, isChange: false }, work)
}

/** The same for `work` that changes the record: without a text, it must be a job of the current repository. */
export async function withChanged(
  needs: CommandNeeds,
  text: string | undefined,
  kinds: readonly FindableKind[],
  work: FoundWork,
): Promise<Outcome> {
  return withRecord(needs, { text, kinds, isChange: true }, work)
}

type Wanted = {
  readonly text: string | undefined
  readonly kinds: readonly FindableKind[]
  readonly isChange: boolean
}

async function withRecord(
  needs: CommandNeeds,
  { text, kinds, isChange }: Wanted,
  work: FoundWork,
): Promise<Outcome> {
  return withDaemon(needs, async (client, link) => {
    const here = { cwd: needs.surroundings.cwd, say: needs.output.note, isChange }
    const found =
      text === undefined ? await findNewest(client, here) : await resolveId(client, text, kinds, here)
    return found.ok ? work(client, found.value, link) : found
  })
}

/** Runs `work` with the daemon's answer. If the call failed, that is the command's outcome. */
export async function withAnswer<Data>(
  answer: Promise<Result<Data, ApiError>>,
  work: (data: Data) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const answered = await answer
  return answered.ok ? work(answered.value) : failure(apiProblem(answered.failure))
}
