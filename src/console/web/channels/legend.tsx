const KINDS = [
  { word: 'proved', name: 'Proved', means: 'an ad click or a known site brought the visit' },
  { word: 'claimed', name: 'Claimed', means: 'only the words in the link say so, such as utm_source=facebook' },
  { word: 'unclear', name: 'Unclear', means: 'no sign, or signs that contradict each other' },
];

/** What the bars mean; holds the pattern that they are drawn with. */
export function Legend() {
  return (
    <ul class="filters legend">
      <li class="unseen" aria-hidden="true">
        <svg>
          <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="hatch" x1="0" x2="0" y1="0" y2="4" />
          </pattern>
        </svg>
      </li>
      {KINDS.map(({ word, name, means }) => (
        <li key={word}>
          <svg class="split" aria-hidden="true">
            <rect class={word} x="0.5" y="0.5" width="13" height="9" />
          </svg>
          <span>
            <b>{name}</b>: {means}
          </span>
        </li>
      ))}
    </ul>
  );
}
