import type { ApiError } from './api-error.ts'

/** Thrown while following when trying again cannot help: no such job, a wrong token, a foreign server. */
export class FollowError extends Error {
  override readonly name = 'FollowError'
  readonly error: ApiError

  constructor(error: ApiError) {
    super(error.message)
    this.error = error
  }
}
