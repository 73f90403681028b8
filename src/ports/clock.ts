/** Time, injected so that decisions about time can be tested. Contract: never throws, may jump. */
export interface Clock {
  now(): Date
}
