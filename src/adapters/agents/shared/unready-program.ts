import type { Unready } from '../../../domain/agent/unready.ts'
import type { InstalledProgram } from './installed-program.ts'
import { storableText } from './storable-text.ts'

type Program = Pick<InstalledProgram, 'title' | 'login'>

const MAX_DETAIL = 300

export function notLoggedIn({ title, login }: Program): Unready {
  return { cause: 'login', reason: `${title} is not logged in`, remedy: login }
}

/** The model's service rejected the login or the key, with an HTTP status and a message if they are known. */
export function loginRefused(
  { title, login }: Program,
  { status, message }: { readonly status?: number | undefined; readonly message?: string } = {},
): Unready {
  const details = [status, message?.trim().slice(0, MAX_DETAIL)].filter(Boolean).join(': ')
  return {
    cause: 'login',
    reason: storableText(`The login or key of ${title} was rejected${details === '' ? '' : ` (${details})`}`),
    remedy: `${login}, or correct the key`,
  }
}

export function unreachable({ title }: Pick<InstalledProgram, 'title'>): Unready {
  return {
    cause: 'network',
    reason: `${title} cannot reach its model`,
    remedy: 'Check the network, or the address if you set one',
  }
}
