import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SecretSet } from './redact.ts'
import { redactValue } from './redact-value.ts'
import { isCredentialName, secretOf } from './secret.ts'

const KEY = 'sk-ant-api03-Zx9/Qw+7=="'
const redact = new SecretSet([secretOf('ANTHROPIC_API_KEY', KEY), secretOf('SHORT', 'hunter2')]).redact
const GONE = '[redacted:ANTHROPIC_API_KEY]'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('redaction', () => {
  it('replaces a secret with its name wherever it occurs', () => {
    expect(redact(`key=${KEY};again ${KEY}`)).toBe(`key=${GONE};again ${GONE}`)
  })

  it('finds a secret in JSON, in JSON inside JSON, and in a URL', () => {
    expect(redact(JSON.stringify({ key: KEY }))).toBe(JSON.stringify({ key: GONE }))
    expect(redact(JSON.stringify(JSON.stringify({ key: KEY })))).toContain(GONE)
    expect(redact(`https://api/?key=${encodeURIComponent(KEY)}&a=1`)).toBe(`https://api/?key=${GONE}&a=1`)
    const lower = encodeURIComponent(KEY).replaceAll(/%../g, (code) => code.toLowerCase())
    expect(redact(`key=${lower}`)).toBe(`key=${GONE}`)
  })

  it.each(['\u001b[1m', '\u001b]0;title\u0007', '\u0008', '\u200b', '\u200d', '\u202e', '\ufe0f', '\u3164'])(
    'finds a secret with %j inside, which vanishes when it is shown',
    (hidden) => {
      const split = `${KEY.slice(0, 9)}${hidden}${KEY.slice(9)}`
      expect(redact(`é key=${split}`)).toBe(`é key=${GONE}`)
      expect(redact(`${hidden}no key`)).toBe(`${hidden}no key`)
    },
  )

  it('finds a secret in which every byte is percent-encoded', () => {
    const every = Buffer.from(KEY).toString('hex').replaceAll(/../g, '%$&')
    expect(redact(`key=${every}&a=1`)).toBe(`key=${GONE}&a=1`)
    expect(redact(`key=${every.toUpperCase()}&a=1`)).toBe(`key=${GONE}&a=1`)
  })

  it.each([0, 1, 2, 3])('finds a secret in the base64 of a longer text, %i bytes in', (before) => {
    const text = `${'x'.repeat(before)}${KEY}, and more`
    const redacted = redact(`authorization: Basic ${base64(text)}`)
    expect(redacted).toContain(GONE)
    const rest = redacted.replace('authorization: Basic ', '').replace(GONE, '')
    expect(Buffer.from(rest, 'base64').toString()).not.toContain(KEY.slice(2, -2))
    expect(redact(Buffer.from(text).toString('base64url'))).toContain(GONE)
  })

  it('never matches an ordinary word, even if someone uses it as a password', () => {
    const one = new SecretSet([secretOf('POSTGRES_PASSWORD', 'postgres')]).redact
    expect(one('/src/postgres-store')).toBe('/src/postgres-store')
  })

  it('never matches a secret of fewer than eight characters', () => {
    expect(redact('the password is hunter2')).toBe('the password is hunter2')
  })

  it('replaces the longer of two secrets where one contains the other', () => {
    const both = new SecretSet([
      secretOf('HOST', 'db.example'),
      secretOf('URL', 'postgres://u:p@db.example/x'),
    ]).redact
    expect(both('at postgres://u:p@db.example/x')).toBe('at [redacted:URL]')
    expect(both('at db.example')).toBe('at [redacted:HOST]')
  })

  it('takes a secret literally, whatever characters it has', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 7, maxLength: 60, unit: 'binary' }).map((text) => `${text}7`),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          const one = new SecretSet([secretOf('ONE', value)]).redact
          expect(one(`${before}${value}${after}`)).toContain('[redacted:ONE]')
          expect(one(`${before}${value}${after}`)).not.toContain(value)
        },
      ),
    )
  })

  it('leaves text without a secret unchanged', () => {
    const secrets = fc.array(fc.stringMatching(/^[A-Z0-9]{12,80}$/), { maxLength: 40 })
    fc.assert(
      fc.property(secrets, fc.stringMatching(/^[a-z ,.{}":\\\n]*$/), (values, text) => {
        const all = new SecretSet(values.map((value, index) => secretOf(`S${index}`, value))).redact
        expect(all(text)).toBe(text)
      }),
    )
  })

  it('finds one of many secrets at any place in a long text', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9]{7,70}7$/)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), fc.nat(300), (values, place) => {
        const all = new SecretSet(values.map((secret) => secretOf('S', secret))).redact
        for (const secret of values) expect(all(`${'-'.repeat(place)}${secret}`)).not.toContain(secret)
      }),
    )
  })
})

describe('redaction of data', () => {
  it('reaches every text, including keys', () => {
    const data = { name: 'Bash', input: { command: ['echo', `x ${KEY}`] }, [KEY]: 1, at: new Date(0) }
    expect(redactValue(data, redact)).toEqual({
      name: 'Bash',
      input: { command: ['echo', `x ${GONE}`] },
      [GONE]: 1,
      at: new Date(0),
    })
  })

  it('returns data without secrets as it is, not as a copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(redactValue(value, redact)).toBe(value)
      }),
    )
  })
})

describe('names of credentials', () => {
  it('are distinguished from other names', () => {
    for (const name of ['GITHUB_TOKEN', 'API_KEY', 'AWS_SECRET_ACCESS_KEY', 'db_password', 'OPENAI_APIKEY'])
      expect([name, isCredentialName(name)]).toEqual([name, true])
    for (const name of ['LEVEL', 'MAX_TOKENS', 'KEYBOARD', 'AUTHOR', 'PATH', 'GIT_CONFIG_KEY_0'])
      expect([name, isCredentialName(name)]).toEqual([name, false])
  })
})
