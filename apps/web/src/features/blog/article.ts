/** What is known of an article without its text. */
export interface Article {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  readonly excerpt: string;
  /** Whom it is written for. */
  readonly audience: string;
  readonly category: string;
  readonly author: string;
  /** Day of publication, such as `2025-06-12`. */
  readonly date: string;
  /** Words of the text, counted by a test. */
  readonly words: number;
  /** Such as `8 min read`. */
  readonly readTime: string;
  /** False for an article that related reading and its address lead to, but not the list. */
  readonly listed: boolean;
  /** Slugs of articles to read next. */
  readonly related: readonly string[];
}
