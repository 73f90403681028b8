import { describe, expect, it } from 'vitest'
import { codeSpan, inertLine, unlinkedLine } from './inert-markdown.ts'

/** What a forge would see after it has read the Markdown. */
const shown = (markdown: string) => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

describe('text of others in Markdown', () => {
  it.each([
    'thanks @octocat and @org/team',
    'Fixes #12, closes octo/repo#3, resolves GH-4, see gh-5',
    'Closes https://github.com/octo/repo/issues/1',
    'see www.github.com/octo/repo/issues/1 and http://x.example/2',
    'closes !7 and &3, with %1 and ~2 and %"next" and $9',
    'mail ada@example.com',
  ])('refers to nothing and no one: %s', (text) => {
    const line = shown(inertLine(text))
    expect(line).not.toMatch(/[@#!&%~$][\p{L}\p{N}_"-]|GH-\d|:\/\/|www\.[a-z]/iu)
    expect(line.replaceAll('\u200b', '')).toBe(text)
  })

  it('is shown as it is: no markup, no HTML, no entity that becomes a mention', () => {
    const text = '<img src=x> **bold** _it_ `code` [a](b) ![c](d) a|b ~~x~~ &#64;octocat <!-- hidden --> \\'
    const line = inertLine(text)
    expect(shown(line).replaceAll('\u200b', '')).toBe(text)
    expect(line.replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[<>`*_[\]|~&\\]/)
  })

  it('is one line without control characters, so it begins no list, heading or quick action', () => {
    expect(inertLine('first\r\n/close\n\n# two\u001b[31m red\u0007')).toBe('first /close # two red')
  })

  it('is cut between characters', () => {
    expect(inertLine('abc😀def', 5)).toBe('abc…')
    expect(unlinkedLine('Fix #1 in `a_b`', 100)).toBe('Fix #\u200b1 in `a_b`')
  })

  it('stays as it is in a code span, whatever backticks it has', () => {
    expect(codeSpan('npm test -- @scope/x #1')).toBe('`npm test -- @scope/x #1`')
    expect(codeSpan('echo `date`')).toBe('`` echo `date` ``')
    expect(codeSpan('a\nb')).toBe('`a b`')
  })
})
