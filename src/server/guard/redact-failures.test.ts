import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { SecretSet } from '../../domain/redaction/redact.ts'
import { secretOf } from '../../domain/redaction/secret.ts'
import { redactFailures } from './redact-failures.ts'

const app = new Hono()
  .use(redactFailures(new SecretSet([secretOf('KEY', 'sk-ant-0123"4567')]).redact))
  .get('/refused', (context) => context.json({ error: { message: 'no: sk-ant-0123"4567' } }, 422))
  .get('/plain', (context) => context.json({ error: { message: 'no' } }, 404))

describe('failures over HTTP', () => {
  it('lose their secrets and nothing else', async () => {
    const refused = await app.request('/refused')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'application/json'])
    expect(await refused.json()).toEqual({ error: { message: 'no: [redacted:KEY]' } })
    expect(await (await app.request('/plain')).json()).toEqual({ error: { message: 'no' } })
  })
})
