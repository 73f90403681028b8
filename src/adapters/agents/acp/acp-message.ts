import { parseJsonObject } from '../shared/parse-json-object.ts'

export type AcpError = { readonly code: number; readonly message: string; readonly data?: unknown }

/** A JSON-RPC message from the program. */
export type AcpMessage =
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: AcpError }
  | {
      readonly type: 'request'
      readonly id: string | number
      readonly method: string
      readonly params: unknown
    }
  | { readonly type: 'notification'; readonly method: string; readonly params: unknown }

/** Parses a line; undefined if it isn't a message of the protocol. */
export function readAcpMessage(line: string): AcpMessage | undefined {
  const fields = parseJsonObject(line)
  if (fields === undefined || fields['jsonrpc'] !== '2.0') return undefined
  const { id, method, params, result, error } = fields
  if (typeof method === 'string') {
    const named = typeof id === 'string' || typeof id === 'number'
    return named ? { type: 'request', id, method, params } : { type: 'notification', method, params }
  }
  if (typeof id !== 'number') return undefined
  if (error === undefined || error === null) return { type: 'result', id, result }
  return { type: 'error', id, error: readError(error) }
}

function readError(error: unknown): AcpError {
  const code = numberAt(error, 'code') ?? 0
  const message = textAt(error, 'message') ?? 'an error without a message'
  const data = valueAt(error, 'data')
  return data === undefined ? { code, message } : { code, message, data }
}

/** A nested field of a value of any type. */
export function valueAt(value: unknown, ...fields: readonly string[]): unknown {
  let found = value
  for (const field of fields) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, field)) return undefined
    found = Reflect.get(found, field)
  }
  return found
}

export function textAt(value: unknown, ...fields: readonly string[]): string | undefined {
  const found = valueAt(value, ...fields)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...fields: readonly string[]): number | undefined {
  const found = valueAt(value, ...fields)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

export function listAt(value: unknown, ...fields: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...fields)
  return Array.isArray(found) ? (found as readonly unknown[]) : []
}
