/** The result of one check by `muster doctor`, with what to do about it. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly subject: string
  readonly detail: string
  readonly next?: string
}

export function ok(subject: string, detail: string): Finding {
  return { level: 'ok', subject, detail }
}

export function warn(subject: string, detail: string, next: string): Finding {
  return { level: 'warn', subject, detail, next }
}

export function fail(subject: string, detail: string, next: string): Finding {
  return { level: 'fail', subject, detail, next }
}
