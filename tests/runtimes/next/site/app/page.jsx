'use client';

import { useEffect, useState } from 'react';
import { work } from '../work.js';

export default function Page() {
  const [said, setSaid] = useState();
  useEffect(() => {
    work('in the browser').then(
      (found) => setSaid(JSON.stringify(found)),
      (error) => setSaid(String(error.stack)),
    );
  }, []);
  return said && <p id="said">{said}</p>;
}
