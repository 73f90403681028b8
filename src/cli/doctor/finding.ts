/** One thing doctor looked at. `next` says what to do about it. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly subject: string
  readonly detail: string
  readonly next?: string
}

export function fine(subject: string, detail: string): Finding {
  return { level: 'ok', subject, detail }
}

export function doubtful(subject: string, detail: string, next: string): Finding {
  return { level: 'warn', subject, detail, next }
}

export function broken(subject: string, detail: string, next: string): Finding {
  return { level: 'fail', subject, detail, next }
}
