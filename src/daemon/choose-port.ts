import { readFile } from 'node:fs/promises'
import type { Result } from '../domain/result.ts'
import type { ListenFailure, Listening, MusterServer } from '../server/create-server.ts'
import { writeFileWhole } from './write-file-whole.ts'

/**
 * Listens on the port of this home's last daemon if possible, because agents that outlived it still use its address. An
 * explicitly requested port is used or is a failure.
 */
export async function listenOnPort(
  server: MusterServer,
  portFile: string,
  wanted: number | undefined,
): Promise<Result<Listening, ListenFailure>> {
  const host = '127.0.0.1'
  if (wanted !== undefined && wanted !== 0) return server.listen({ host, port: wanted })
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  const again = last > 0 ? await server.listen({ host, port: last }) : undefined
  const listening = again?.ok ? again : await server.listen({ host, port: 0 })
  if (listening.ok) await writeFileWhole(portFile, `${listening.value.port}\n`)
  return listening
}
