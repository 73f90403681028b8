/** An expected failure is a value, so the caller can act on it. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function success<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function failure<Failure>(failed: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failed }
}
