import { describe, expect, it } from 'vitest'
import { copiesInto } from './copies-into.ts'

describe('the copied files of a tree request', () => {
  it('name the checkout they come from', () => {
    expect(copiesInto('/project', ['.env'])).toEqual({ copies: { from: '/project', paths: ['.env'] } })
  })

  it('are absent if none are configured', () => {
    expect(copiesInto('/project', [])).toEqual({})
    expect(copiesInto('/project', undefined)).toEqual({})
  })
})
