import { z } from 'zod'
import { assertNever } from '../../domain/assert-never.ts'
import type { Forge } from './forge.ts'

export type ForgeRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** Below the API's address, without a slash at its start. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

export type ForgeAnswer = { readonly status: number; readonly body: unknown }

/** A pull request as a forge describes it. GitLab calls it a merge request. */
export type OpenPullRequest = {
  readonly number: number
  readonly url: string
  readonly text: string
  readonly base: string
}

export type PullRequestContent = {
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly isDraft: boolean
}

const githubSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    body: z.string().nullish(),
    base: z.object({ ref: z.string() }),
  })
  .transform(({ number, html_url: url, body, base }) => ({ number, url, text: body ?? '', base: base.ref }))

const gitlabSchema = z
  .object({
    iid: z.number(),
    web_url: z.string(),
    description: z.string().nullish(),
    target_branch: z.string(),
  })
  .transform(({ iid: number, web_url: url, description, target_branch: base }) => ({
    number,
    url,
    text: description ?? '',
    base,
  }))

/** Finds the open pull request of a branch; with a base, only one into that base. */
export function findRequest(forge: Forge, branch: string, base: string | undefined): ForgeRequest {
  switch (forge.kind) {
    case 'github': {
      const [owner = ''] = forge.path.split('/')
      const into = base === undefined ? {} : { base }
      const query = new URLSearchParams({ state: 'open', head: `${owner}:${branch}`, ...into, per_page: '1' })
      return { method: 'GET', path: `${pullsOf(forge)}?${query}` }
    }
    case 'gitlab': {
      const into = base === undefined ? {} : { target_branch: base }
      const query = new URLSearchParams({ state: 'opened', source_branch: branch, ...into, per_page: '1' })
      return { method: 'GET', path: `${pullsOf(forge)}?${query}` }
    }
    default:
      return assertNever(forge.kind)
  }
}

export function openRequest(forge: Forge, content: PullRequestContent): ForgeRequest {
  const { branch, base, title, body, isDraft } = content
  switch (forge.kind) {
    case 'github': {
      const draft = isDraft ? { draft: true } : {}
      return { method: 'POST', path: pullsOf(forge), body: { head: branch, base, title, body, ...draft } }
    }
    case 'gitlab': {
      const named = isDraft ? `Draft: ${title}` : title
      const description = body
      const branches = { source_branch: branch, target_branch: base }
      return { method: 'POST', path: pullsOf(forge), body: { ...branches, title: named, description } }
    }
    default:
      return assertNever(forge.kind)
  }
}

/** The title changes only if the person gave one. */
export function updateRequest(
  forge: Forge,
  number: number,
  { title, body }: { readonly title?: string | undefined; readonly body: string },
): ForgeRequest {
  const path = `${pullsOf(forge)}/${number}`
  const named = title === undefined ? {} : { title }
  return forge.kind === 'github'
    ? { method: 'PATCH', path, body: { ...named, body } }
    : { method: 'PUT', path, body: { ...named, description: body } }
}

/** The first pull request in an answer: the answer itself, or the first of a list. */
export function readPullRequest({ kind }: Forge, body: unknown): OpenPullRequest | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body
  const read = (kind === 'github' ? githubSchema : gitlabSchema).safeParse(first)
  return read.success ? read.data : undefined
}

const messageSchema = z.object({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.array(z.union([z.string(), z.looseObject({ message: z.string().optional() })])).optional(),
})

/** What a forge says about a request that it refused. */
export function refusalWords(body: unknown): string {
  const read = messageSchema.safeParse(body)
  if (!read.success) return ''
  const { message, error, errors = [] } = read.data
  const more = errors.map((one) => (typeof one === 'string' ? one : (one.message ?? JSON.stringify(one))))
  return [wordsOf(message ?? error), ...more].filter((words) => words !== '').join('; ')
}

/** GitLab's messages are texts, lists, or lists by field. */
function wordsOf(message: unknown): string {
  if (message === undefined || message === null) return ''
  if (typeof message === 'string') return message
  return Array.isArray(message) ? message.map(wordsOf).join('; ') : JSON.stringify(message)
}

function pullsOf({ kind, path }: Forge): string {
  if (kind === 'gitlab') return `projects/${encodeURIComponent(path)}/merge_requests`
  return `repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`
}
