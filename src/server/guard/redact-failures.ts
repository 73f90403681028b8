import type { MiddlewareHandler } from 'hono'
import type { Redact } from '../../domain/redaction/redact.ts'

/** Failures quote text from elsewhere: settings, program output. Other responses come from rows, already redacted. */
export function redactFailures(redact: Redact): MiddlewareHandler {
  return async (context, next) => {
    await next()
    if (context.res.status < 400) return
    const text = await context.res.clone().text()
    const redacted = redact(text)
    if (redacted !== text) context.res = new Response(redacted, context.res)
  }
}
