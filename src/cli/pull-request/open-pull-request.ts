import { failure, type Result, success } from '../../domain/result.ts'
import type { Problem } from '../problem.ts'
import type { Forge } from './forge.ts'
import type { ForgeAccess } from './forge-access.ts'
import { forgeProblem, noAnswer } from './forge-problem.ts'
import {
  type ForgeAnswer,
  type ForgeRequest,
  findRequest,
  type OpenPullRequest,
  openRequest,
  type PullRequestContent,
  readPullRequest,
  updateRequest,
} from './forge-requests.ts'
import { markedBody, replaceMarked } from './marked-body.ts'

export type Opened = OpenPullRequest & { readonly status: 'opened' | 'updated' }

export type Wanted = PullRequestContent & {
  /** The person named the base or the title, so they count for a pull request that exists too. */
  readonly isBaseGiven: boolean
  readonly isTitleGiven: boolean
  /** What happened before, for the explanation of a failure. */
  readonly pushed: string
}

/** Updates the open pull request of the branch, or opens one. */
export async function openPullRequest(
  forge: Forge,
  access: ForgeAccess,
  wanted: Wanted,
): Promise<Result<Opened, Problem>> {
  const context = { forge, access, pushed: wanted.pushed }
  const send = async (request: ForgeRequest): Promise<Result<ForgeAnswer, Problem>> => {
    const sent = await access.send(request)
    if (!sent.ok) return failure(noAnswer(context, sent.failure))
    const isFine = sent.value.status >= 200 && sent.value.status < 300
    return isFine ? sent : failure(forgeProblem(context, sent.value))
  }
  const listed = await send(findRequest(forge, wanted.branch, wanted.isBaseGiven ? wanted.base : undefined))
  if (!listed.ok) return listed
  const existing = readPullRequest(forge, listed.value.body)
  const request = existing === undefined ? creation(forge, wanted) : change(forge, wanted, existing)
  const answer = await send(request)
  if (!answer.ok) return answer
  const stored = readPullRequest(forge, answer.value.body) ?? existing
  if (stored === undefined) return failure(noAnswer(context, 'the answer names no pull request'))
  return success({ ...stored, status: existing === undefined ? 'opened' : 'updated' })
}

function creation(forge: Forge, wanted: Wanted): ForgeRequest {
  return openRequest(forge, { ...wanted, body: markedBody(wanted.body) })
}

function change(forge: Forge, wanted: Wanted, existing: OpenPullRequest): ForgeRequest {
  const title = wanted.isTitleGiven ? wanted.title : undefined
  return updateRequest(forge, existing.number, { title, body: replaceMarked(existing.text, wanted.body) })
}
