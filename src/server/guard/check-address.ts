import type { IncomingMessage } from 'node:http'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'

type AddressFailure = Extract<EdgeFailure, { readonly type: 'forbidden-host' | 'forbidden-origin' }>

const FORBIDDEN_HOST: AddressFailure = { type: 'forbidden-host' }
const FORBIDDEN_ORIGIN: AddressFailure = { type: 'forbidden-origin' }

/**
 * The first check of every request: is it addressed to this server, and not sent by a foreign page? A page whose name
 * was made to resolve to this machine still sends its own name as Host.
 */
export function checkAddress(incoming: IncomingMessage): AddressFailure | undefined {
  const port = incoming.socket.localPort
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const { host: hosts = [], origin: origins = [], 'sec-fetch-site': sites = [] } = incoming.headersDistinct
  const [host] = hosts
  if (host === undefined || hosts.length > 1 || !names.includes(host)) return FORBIDDEN_HOST
  const target = incoming.url ?? ''
  if (!target.startsWith('/') && !target.startsWith(`http://${host}/`)) return FORBIDDEN_HOST

  const isOurs = (origin: string) => names.some((name) => origin === `http://${name}`)
  if (origins.length > 1 || !origins.every(isOurs)) return FORBIDDEN_ORIGIN
  if (!sites.every((site) => site === 'same-origin' || site === 'none')) return FORBIDDEN_ORIGIN
  return undefined
}
