/** Time, injected so that tests can control it. Contract: never throws; may jump. */
export interface Clock {
  now(): Date
}
