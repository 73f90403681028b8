import { describe, expect, it } from 'vitest'
import type { WireDiff } from '../../../client/index.ts'
import { createPaint } from '../text/paint.ts'
import { diffLines, leftOutLines } from './diff-lines.ts'

const plain = createPaint(false)

function diff(overrides: Partial<WireDiff> = {}): WireDiff {
  return {
    subject: 'tsk_1',
    from: 'a'.repeat(40),
    to: 'b'.repeat(40),
    files: [{ path: 'a.txt', added: 3, removed: 1, isBinary: false }],
    omittedFiles: 0,
    patch: 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n same\n',
    isCut: false,
    gitDirectory: '/home/me/hubs/prj_1.git',
    ...overrides,
  }
}

describe('a diff', () => {
  it('shortens its bars to the width of the terminal', () => {
    const files = [{ path: 'a.txt', added: 35, removed: 0, isBinary: false }]
    const lines = diffLines(diff({ files }), plain, 'stat', 30)
    expect(lines[1]).toMatch(/^a\.txt +\+35 -0 +\+{5,}$/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30)
    expect(diffLines(diff({ files }), plain, 'stat')[1]).toMatch(/\+{35}$/)
  })

  it('starts with a table of files, and ends there with --stat', () => {
    expect(diffLines(diff(), plain, 'stat')).toEqual([
      'FILE   LINES',
      'a.txt  +3 -1  +++-',
      '1 file, 3 lines added, 1 line removed, aaaaaaaaaa..bbbbbbbbbb',
    ])
    expect(diffLines(diff(), plain, 'whole').slice(-3)).toEqual(['-old', '+new', ' same'])
    expect(diffLines(diff({ files: [], patch: '' }), plain, 'whole')).toEqual(['no changes'])
  })

  it('says what a merge leaves out, and how to see it', () => {
    const display = { paint: plain, hint: (text: string) => text }
    expect(leftOutLines(diff(), display)).toEqual([])
    expect(leftOutLines(diff({ subject: 'job_1', leftOut: ['TASKLIST.md'] }), display)).toEqual([
      'without TASKLIST.md, which a merge leaves out; to see it: muster diff job_1 --with-task-list',
    ])
  })

  it('limits the bars, marks binary files, and counts omitted files', () => {
    const files = [
      { path: 'big.txt', added: 90_000, removed: 10_000, isBinary: false },
      { path: 'small.txt', added: 1, removed: 0, isBinary: false },
      { path: 'logo.png', added: 0, removed: 0, isBinary: true },
    ]
    const lines = diffLines(diff({ files, omittedFiles: 7 }), plain, 'stat')
    expect(lines[1]).toBe(`big.txt    +90000 -10000  ${'+'.repeat(36)}----`)
    expect(lines[2]).toMatch(/\+$/)
    expect(lines[3]).toBe('logo.png   binary')
    expect(lines.slice(4)).toEqual(['and 7 more files', expect.stringMatching(/^10 files, /)])
  })

  it('shows deletions, renames, modes and links', () => {
    const file = { added: 0, removed: 0, isBinary: false }
    const files = [
      { ...file, path: 'a.txt', removed: 3, status: 'deleted' as const },
      { ...file, path: 'moved.txt', from: 'file.txt', status: 'renamed' as const },
      { ...file, path: 'tool.sh', mode: { from: '644', to: '755' } },
      { ...file, path: 'link', added: 1, status: 'added' as const, isLink: true as const },
    ]
    expect(diffLines(diff({ files }), plain, 'stat').slice(1, -1)).toEqual([
      'a.txt                  +0 -3, deleted    ---',
      'file.txt -> moved.txt  renamed',
      'tool.sh                mode 644 -> 755',
      'link                   +1 -0, new, link  +',
    ])
  })

  it('colours added and removed lines, hunks and file names', () => {
    const tones: string[] = []
    const paint = (tone: string, text: string) => {
      tones.push(`${tone} ${text}`)
      return text
    }
    diffLines(diff({ patch: `${diff().patch}--- no name\n+++ nor this\n` }), paint, 'whole')
    expect(tones).toEqual(
      expect.arrayContaining([
        'good +new',
        'bad -old',
        'accent @@ -1 +1 @@',
        'plain  same',
        'strong --- a/a.txt',
        'bad --- no name',
        'good +++ nor this',
      ]),
    )
  })

  it('makes hidden characters visible in names and lines', () => {
    const hidden = '\u001b[2K\u202e'
    const lines = diffLines(
      diff({
        patch: `+${hidden}\rrm\n`,
        files: [{ path: `x${hidden}\n`, added: 1, removed: 0, isBinary: false }],
      }),
      plain,
      'whole',
    )
    for (const mark of ['\u001b', '\u202e', '\r']) expect(lines.join('\n')).not.toContain(mark)
    expect(lines.join('\n')).toContain('+\\u001b[2K\\u202e\\u000drm')
    expect(lines[1]).toContain('x\\u001b[2K\\u202e')
  })

  it('prints how to see all of it if it was cut', () => {
    const lines = diffLines(diff({ isCut: true, gitDirectory: "/home/o'hara/x.git" }), plain, 'whole')
    expect(lines.at(-1)).toBe(
      `the rest is omitted; see all of it with: git --git-dir '/home/o'\\''hara/x.git' diff ${'a'.repeat(40)} ${'b'.repeat(40)}`,
    )
  })
})
