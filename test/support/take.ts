import type { Result } from '../../src/domain/result.ts'

/** Returns the value of a result. A failure, which the test did not expect, is thrown. */
export function take<Value, Failure>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}
