import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine, safeText } from '../render/text/safe-text.ts'
import { FORGE_NAMES, type Forge } from './forge.ts'
import type { ForgeAccess } from './forge-access.ts'
import { type ForgeAnswer, refusalWords } from './forge-requests.ts'

type Context = { readonly forge: Forge; readonly access: ForgeAccess; readonly pushed: string }

/** Why a forge refused a request, what it said, and what helps. The branch was pushed before. */
export function forgeProblem({ forge, access, pushed }: Context, { status, body }: ForgeAnswer): Problem {
  const name = FORGE_NAMES[forge.kind]
  const words = safeLine(refusalWords(body))
  const why = [words === '' ? '' : `${name} says: ${words}`, pushed].filter((line) => line !== '').join('\n')
  const repository = safeLine(forge.path)
  const login = isProgram(access) ? `${access.name} auth login` : undefined
  if (status === 401) {
    const message = `${name} did not accept the credentials from ${access.name} (401)`
    return {
      type: 'forge-unauthorized',
      exitCode: EXIT.notPermitted,
      message,
      why,
      next: login ?? renew(access),
    }
  }
  if (status === 429 || (status === 403 && /rate limit/i.test(words))) {
    const message = `${name} accepts no more requests for now (${status})`
    return { type: 'forge-limited', exitCode: EXIT.failed, message, why: `${why}\nTry again later.` }
  }
  if (status === 403) {
    const message = `${name} doesn't let ${access.name} open pull requests in ${repository} (403)`
    return {
      type: 'forge-forbidden',
      exitCode: EXIT.notPermitted,
      message,
      why,
      next: login ?? scopeOf(forge),
    }
  }
  if (status === 404) {
    const message = `${name} has no repository ${repository} that ${access.name} can see (404)`
    return { type: 'forge-not-found', exitCode: EXIT.failed, message, why, next: login ?? scopeOf(forge) }
  }
  const message = `${name} did not accept the pull request (${status})`
  return { type: 'forge-refused', exitCode: EXIT.failed, message, why }
}

/** There was no answer, or none that can be read. */
export function noAnswer({ forge, access, pushed }: Context, words: string): Problem {
  const name = FORGE_NAMES[forge.kind]
  return {
    type: 'forge-unreachable',
    exitCode: EXIT.failed,
    message: `no pull request was opened, because the request to ${name} with ${access.name} failed`,
    why: `${safeText(words).trim()}\n${pushed}`,
    ...(isProgram(access) ? { next: `${access.name} auth login` } : {}),
  }
}

function isProgram({ name }: ForgeAccess): boolean {
  return name === 'gh' || name === 'glab'
}

function renew({ name }: ForgeAccess): string {
  return `put a valid token into ${name}, or unset it`
}

function scopeOf({ kind }: Forge): string {
  return kind === 'github'
    ? 'use a token that may write pull requests (classic tokens: scope repo)'
    : 'use a token with the scope api'
}
