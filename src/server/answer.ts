import type { Context } from 'hono'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import type { Result } from '../domain/result.ts'
import { refuse } from './refuse.ts'

/** The envelope of every successful response. */
export function succeed<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data }
}

/** Renders what a command or a query returned, or refuses with its failure. */
export function answer<Value, Data>(
  context: Context,
  result: Result<Value, ApiFailure>,
  render: (value: Value) => Data,
) {
  return result.ok ? context.json(succeed(render(result.value)), 200) : refuse(context, result.failure)
}

/** The same, with status 201. */
export function answerCreated<Value, Data>(
  context: Context,
  result: Result<Value, ApiFailure>,
  render: (value: Value) => Data,
) {
  return result.ok ? context.json(succeed(render(result.value)), 201) : refuse(context, result.failure)
}
