var Hs=Object.defineProperty;var a=(n,e)=>Hs(n,"name",{value:e,configurable:!0});var Bt=Number.NaN,Wt,Ln;function h(){return Ln!==setTimeout&&Vs(),Bt+Wt.now()}a(h,"now");function Vs(){Ln=setTimeout,Wt=
performance,Number.isNaN(Bt)&&(Bt=Date.now()-Wt.now())}a(Vs,"lookUp");var Un=2147483647;function Bn(n,e){return new Promise(
t=>{let r=e<=Un?setTimeout(t,e):void 0,s=a(()=>{clearTimeout(r),t()},"over");n.then(s,s)})}a(Bn,"within");var le=class{static{
a(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,h()<this.at?this.arm():e()}}set(e){
this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===e)return;this.held=e;let t=this.
timer;e?t?.ref?.():t?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.timer=void 0}arm(){this.timer=
setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-h()),1),Un)),this.held||this.timer.unref?.()}};var Wn=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Gt=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],Jt=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],re=80,Be=500,We=300,Gn=80;function Ht(n,e){return n.some(([t,r])=>t<=e&&e<=r)}a(Ht,"isIn");var Jn;function qs(){let n=Jt.map(([r])=>r),t=`[${Array.
from({length:94},(r,s)=>String.fromCharCode(33+s)).filter(r=>!n.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${t}(?: ${t})*$`)}a(qs,"plainWords");function I(n,e=Gn){if(Jn??=qs(),n.length<=e&&Jn.test(
n))return n;let t="",r=0,s=!1;for(let o of n){let i=o.codePointAt(0);if(Ht(Gt,i))continue;if(Ht(Wn,i)){s=r>0;continue}let u=r+
(s?2:1);if(u>e)return`${t}…`;let d=i>=55296&&i<=57343?"�":Jt.find(([l])=>l===o)?.[1]??o;t+=s?` ${d}`:d,s=!1,r=u}return t}
a(I,"quoted");function Ge(n){let e="";for(let t of JSON.stringify(n)){let r=t.codePointAt(0),s=r<127||r>160&&r!==8232&&r!==8233&&!Ht(Gt,
r);e+=s?t:Ys(t)}return e}a(Ge,"jsonForModel");function Ys(n){return Array.from({length:n.length},(e,t)=>`\\u${n.charCodeAt(
t).toString(16).padStart(4,"0")}`).join("")}a(Ys,"escaped");var Hn=!1;function Vt(n){Hn=n}a(Vt,"withinCore");function Te(n){try{for(let e=n,t=0;e instanceof Error&&t<8;e=e.cause,t+=
1)e.stack}catch{}}a(Te,"letStackGo");var g=class extends Error{static{a(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,t,r={},s){
super(t,s),this.code=e,this.details=r,Hn&&Te(this)}};function Vn(n,e){try{if(!(n instanceof Error)||n.name!=="SubAgentEr\
ror")return!1;let{code:t}=n;return e===void 0?typeof t=="string":t===e}catch{return!1}}a(Vn,"isSubAgentError");var qn=new WeakMap;
function Je(n,e){return e!==n.message&&qn.set(n,e),n}a(Je,"tellingModels");function He(n){return qn.get(n)??A(n)}a(He,"t\
oldOf");function b(n,e,t){let r=`${n} must be ${e}, got ${y(t)}`;return new g("invalid_argument",r,{argument:n.replaceAll(
"`",""),expected:e})}a(b,"invalid");function y(n){return typeof n=="string"?n.length>40?`a string of ${n.length} charact\
ers`:Ge(n):n==null||typeof n=="number"||typeof n=="boolean"?String(n):typeof n=="object"?zs(n):`a ${typeof n}`}a(y,"desc\
ribe");function zs(n){try{return Array.isArray(n)?n.length===0?"an empty list":"a list":"an object"}catch{return"an obje\
ct"}}a(zs,"listOrObject");function A(n){try{if(typeof n=="string")return n;if(n instanceof Error)return String(n.message)||
String(n.name)||"an error without a message";if(typeof n=="object"&&n!==null&&typeof n.message=="string")return n.message}catch{}
return`threw ${y(n)}`}a(A,"messageOf");var Ve=class{static{a(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,t){
this.core=e,this.memory=t}write(e,t=0){let r=t+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,t===0?this.view:this.view.subarray(t)).written}writeAll(e){let t=3*e.reduce((s,o)=>s+ce(o),0);
(this.view.length<t||this.view.length===0)&&this.grow(t);let r=0;return e.map(s=>{if(s===void 0)return 4294967295;let o=this.
write(s,r);return r+=o,o})}writeEnd(e){let{output:t,error:r,hostStatus:s,hostTaskId:o,artifactsJson:i,valueJson:u}=e,d=t.
length+ce(r)+ce(s)+ce(o)+ce(i)+ce(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let l={output:this.write(
t),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},c=l.output;return r!==void 0&&
(c+=l.error=this.write(r,c)),s!==void 0&&(c+=l.status=this.write(s,c)),o!==void 0&&(c+=l.id=this.write(o,c)),i!==void 0&&
(c+=l.artifacts=this.write(i,c)),u!==void 0&&(l.value=this.write(u,c)),l}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}renew(){this.view=new Uint8Array(0)}read(e,t){return t===
0?"":this.decoder.decode(new Uint8Array(this.memory.buffer,e,t))}memoryView(){return this.whole.length===0&&(this.whole=
new Uint8Array(this.memory.buffer)),this.whole}copy(e,t){return new Uint8Array(this.memory.buffer,e,t).slice()}get memoryBytes(){
return this.memory.buffer.byteLength}letGo(){this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.
memory={buffer:new ArrayBuffer(0)}}grow(e){let t=Math.max(e,4096),r=this.core.scratch(t);this.view=new Uint8Array(this.memory.
buffer,r,t)}};function ce(n){return n===void 0?0:n.length}a(ce,"lengthOf");var Yn=new WeakMap;function Xn(n){if(Qs(n))return n;let e=Yn.get(n);if(e===void 0){let t=new AbortController;n.addEventListener(
"abort",()=>zn(t,n),{once:!0}),Yn.set(n,t),e=t}return n.aborted===!0&&zn(e,n),e.signal}a(Xn,"tamed");function zn(n,e){let t;
try{({reason:t}=e)}catch(r){t=r}n.abort(t)}a(zn,"fire");var Xs=["aborted","reason","addEventListener","removeEventListen\
er"];function Qs(n){return Object.getPrototypeOf(n)===AbortSignal.prototype&&!Xs.some(e=>Object.hasOwn(n,e))}a(Qs,"isPla\
tforms");var Qn={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function er(n,e){let t=Zn(n);if(t.length>40)return;let r,s=Number.POSITIVE_INFINITY,o=Object.hasOwn(
Qn,t)?Qn[t]:void 0;for(let i of e){if(i===o)return i;let u=Zs(t,Zn(i));u>=s||(s=u,r=i)}return r}a(er,"nearestOf");function Zn(n){
return n.toLowerCase().replaceAll(/[_-]/g,"")}a(Zn,"plain");function Zs(n,e){let[t,r]=n.length<e.length?[n,e]:[e,n],s=eo(
n,e);return s<=Math.min(3,Math.floor(r.length/3))?s:t.length>=3&&r.startsWith(t)?40+s:Number.POSITIVE_INFINITY}a(Zs,"dis\
tanceOf");function eo(n,e){let t=[],r=Array.from({length:e.length+1},(s,o)=>o);for(let s=1;s<=n.length;s+=1){let o=[s];for(let i=1;i<=
e.length;i+=1){let u=n[s-1]===e[i-1],d=Math.min((r[i]??0)+1,(o[i-1]??0)+1,(r[i-1]??0)+(u?0:1));s>1&&n[s-1]===e[i-2]&&n[s-
2]===e[i-1]&&(d=Math.min(d,(t[i-2]??0)+1)),o.push(d)}[t,r]=[r,o]}return r[e.length]??0}a(eo,"editsOf");var tr=100,nr=1048576,C=16777216;function T(n,e,t="an object"){return O(n,()=>{if(fe(n,e,t),Array.isArray(e))throw b(n,t,
e);let r=Object.create(null);for(let s of rr(e)){let o=Object.getOwnPropertyNames(s),i=Object.keys(s).length===o.length;
for(let u of o)!(u in r)&&(i||to(s,u))&&(r[u]=e[u])}return r})}a(T,"optionsOf");function to(n,e){let{enumerable:t,get:r}=Object.
getOwnPropertyDescriptor(n,e)??{};return t===!0||r!==void 0}a(to,"isGiven");function rr(n){let e=[n],t=Object.getPrototypeOf(
n);for(;t!==null&&!no(t);){if(e.push(t)>tr)throw new Error(`it inherits from more than ${tr} objects`);t=Object.getPrototypeOf(
t)}return e}a(rr,"levelsOf");function no(n){return n===Object.prototype||Object.getPrototypeOf(n)===null&&Object.hasOwn(
n,"hasOwnProperty")}a(no,"isRoot");function F(n,e){return X(n,e,n[e])}a(F,"propertyOf");function X(n,e,t){return t===void 0||
Object.hasOwn(n,e)||Object.getPrototypeOf(n)!==Object.prototype&&rr(n).some(s=>Object.hasOwn(s,e))?t:void 0}a(X,"ownOf");
function fe(n,e,t="an object"){if(typeof e=="object"&&e!==null)return e;throw b(n,t,e)}a(fe,"objectOf");function D(n,e,t,r){
return O(n,()=>{if(!Array.isArray(t))throw b(n,e,t);let{length:s}=t;if(!(s<=nr))throw b(n,`a list of at most ${nr} entri\
es`,s);let o=[];for(let i=0;i<s;i+=1){let u=n.endsWith("`")?`${n.slice(0,-1)}[${i}]\``:`${n}[${i}]`;o.push(r(Object.hasOwn(
t,i)?O(u,()=>t[i]):void 0,u))}return o})}a(D,"listOf");function sr(n,e){return D(n,"a list",e,t=>t)}a(sr,"entriesOf");function qt(n){
return typeof n=="string"&&n.length<=C}a(qt,"isText");function P(n,e){if(qt(e))return e;throw b(n,typeof e=="string"?`a \
text of at most ${C} characters`:"a string",e)}a(P,"textOf");function pe(n,e){let t=P(n,e);if(Yt(t))return t;throw b(n,"\
well-formed text, as `toWellFormed()` makes it",e)}a(pe,"nameOf");function Yt(n){return n.isWellFormed?.()??!ro.test(n)}
a(Yt,"isWellFormed");var ro=/[\ud800-\udfff]/u;function or(n,e,t,r=`the options of ${n}`){return O(r,()=>{let s=T(r,e),o=Object.
keys(s).find(i=>!t.includes(i));if(o!==void 0)throw Re(n,o,t);return s})}a(or,"knownOptions");function Q(n,e){return new g("invalid_argument",`${n} say the same: give one`,{argument:e})}a(Q,"saidTwice");function Re(n,e,t){
return je(`${n} has no option \`${e}\``,e,t,{argument:e})}a(Re,"unknownOption");function H(n,e,t){let[r]=Object.keys(e);
if(r===void 0)return;let s=`${n}.${r}`;throw je(`\`${n}\` has no \`${r}\``,r,t,{argument:s},`; it has ${t.join(", ")}`)}
a(H,"noOtherFields");function qe(n,e,t){return je(`${n} has no \`${e}\``,e,t,{argument:e},`; it has ${t.join(", ")}`)}a(
qe,"unknownField");function je(n,e,t,r,s=""){let o=er(e,t);return o===void 0?new g("invalid_argument",n+s,r):new g("inva\
lid_argument",`${n}; did you mean \`${o}\`?`,{...r,suggestion:o})}a(je,"unknownPart");function O(n,e){try{return e()}catch(t){
throw zt(n,t)}}a(O,"readArgument");function zt(n,e){return Xt(e)?e:new g("invalid_argument",`${n} can't be read: ${A(e)}`,
{argument:n.replaceAll("`","")},{cause:e})}a(zt,"unreadable");function Xt(n){try{return n instanceof g}catch{return!1}}a(
Xt,"isOurs");function Ye(n,e){if(e!==void 0)return O(n,()=>{let{aborted:t,addEventListener:r,removeEventListener:s}=Object(
e);if(typeof t=="boolean"&&typeof r=="function"&&typeof s=="function")return Xn(e);throw b(n,"an AbortSignal",e)})}a(Ye,
"signalOf");var so=100,oo=500,io=["completed","cancelled","blocked_on_user"];function ao({status:n="pending"}){return!io.includes(n)}
a(ao,"isOpenTodo");function ir(n){let e=0,t=[],r=D("`todos`","a list of { content, status }",n,(s,o)=>{let{content:i,description:u,
status:d="pending"}=Object(s),l=i??u;if(typeof l!="string")throw b(`the \`content\` or \`description\` of ${o}`,"a strin\
g",l);if(typeof d!="string")throw b(`the \`status\` of ${o}`,"a string",d);return{content:l,status:d}});for(let{content:s,
status:o}of r){let i={content:ze(s,oo),status:ze(o,40)};ao(i)&&(e+=1),t.length<so&&t.push(i)}return{open:e,json:JSON.stringify(
t)}}a(ir,"readTodos");function ar(n,{slot:e,generation:t,run:r},{open:s,json:o}){let i=n.write(o);n.act(u=>u.todos(h(),e,
t,r,s,i))}a(ar,"reportTodos");function Ie(n){return n===""?[]:JSON.parse(n)}a(Ie,"parseTodos");function ze(n,e){return n.
length<=e?n:Array.from(n.slice(0,e*2)).slice(0,e).join("")}a(ze,"firstChars");function V(n,e){return e===void 0?void 0:P(n,e)}a(V,"string");function Z(n,e){return e===void 0?void 0:D(n,"a list of st\
rings",e,(t,r)=>P(r,t))}a(Z,"strings");function Xe(n,e){return e===void 0?void 0:pe(n,e)}a(Xe,"name");function N(n,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw b(n,"a whole num\
ber of at least 1, or Infinity",e)}}a(N,"count");function me(n,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw b(
n,"a number above 0, or Infinity",e)}}a(me,"amount");function Qe(n,e,t=!1){if(e!==void 0){if(t&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw b(n,`milliseconds ${t?"of at least":"above"} 0, or Infinity`,e)}}a(
Qe,"duration");function ur(n,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw b(n,"a whol\
e number",e)}}a(ur,"integer");function Pe(n,e){if(e===void 0)return{};let t=T(`\`${n}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:s,turns:o,...i}=t;H(n,i,["tokens","costUsd","turns"]);let u={},[d,l,c]=[N(`\`${n}.tokens\
\``,r),me(`\`${n}.costUsd\``,s),N(`\`${n}.turns\``,o)];return d!==void 0&&(u.tokens=d),l!==void 0&&(u.costUsd=l),c!==void 0&&
(u.turns=c),u}a(Pe,"readBudget");function ee(n){let e=n;return e.isWellFormed?.()===!1?e.toWellFormed?.()??n:n}a(ee,"wellFormed");function Ze(n,e){let t=0;
for(let r=0;r<n.length;){let s=n.codePointAt(r);if(t+=s<128?1:s<2048?2:s<65536?3:4,t>e)return n.slice(0,r);r+=s>65535?2:
1}return n}a(Ze,"headOf");function et(n,e,t,r={left:e}){let s=Math.max(0,r.left-e),o=JSON.stringify(n,(i,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<s)throw new Error(t);return u});if(o!==void 0&&o.length>e)throw new Error(t);return o}a(et,"jsonWithin");var tt=20,uo=1e3;function dr(n,e,t){let r=[],s=[],o=C,i={left:2*C},u=0;return D(n,"a list",e,(d,l)=>{if(u>=tt&&i.left===
0){u+=1;return}try{let c=et(d,o,`the artifacts have more than ${C} characters`,i);if(c===void 0)throw new Error(`JSON ha\
s no ${y(d)}`);o=Math.max(0,o-c.length-1),s.push(c),r.push(d)}catch(c){u+=1,i.left=Math.max(0,i.left-uo),u<=tt&&t(`${l} \
was not kept: ${A(c)}`,l)}}),u>tt&&t(`${u-tt} more artifacts were not kept`,n),s.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${s.join(",")}]`}}a(dr,"readArtifacts");var q=Symbol("unreadable"),E=Symbol("unread");function lr(n,e){let t=n,r={usage:E,status:E,output:E,value:E,artifacts:E,
taskId:E,error:E};try{if(r.usage=t.usage,r.status=t.status,r.output=t.output,r.value=t.value,r.artifacts=t.artifacts,r.taskId=
t.taskId,r.error=t.error,Object.getPrototypeOf(t)===Object.prototype&&!pr(fr))return r}catch(s){mr(t,r,s,e)}return hr(t,
r,e),r}a(lr,"fieldsOfResult");function cr(n){let e=n,t={costUsd:E,cost:E,tokens:E,inputTokens:E,outputTokens:E,turns:E,durationMs:E};
try{if(t.costUsd=e.costUsd,t.cost=e.cost,t.tokens=e.tokens,t.inputTokens=e.inputTokens,t.outputTokens=e.outputTokens,t.turns=
e.turns,t.durationMs=e.durationMs,Object.getPrototypeOf(e)===Object.prototype&&!pr(fr))return t}catch(r){mr(e,t,r,()=>{})}
return hr(e,t,()=>{}),t}a(cr,"fieldsOfUsage");var fr={};function pr(n){return"usage"in n||"status"in n||"output"in n||"v\
alue"in n||"artifacts"in n||"taskId"in n||"error"in n||"costUsd"in n||"cost"in n||"tokens"in n||"inputTokens"in n||"outp\
utTokens"in n||"turns"in n||"durationMs"in n}a(pr,"isOnPrototype");function mr(n,e,t,r){let s=!1;for(let o of Object.keys(
e))if(e[o]===E){try{if(!s)throw t;e[o]=n[o]}catch(i){e[o]=q,r(o,i)}s=!0}}a(mr,"readApart");function hr(n,e,t){for(let r of Object.
keys(e))if(e[r]!==q)try{e[r]=X(n,r,e[r])}catch(s){e[r]=q,t(r,s)}}a(hr,"keepOwn");var se=0,lo=1,co=2,fo=3,po=4,nt=5,mo=6,_=-1;function ge(n){if(typeof n!="object"||n===null)return rt(`spawnSubAgent must\
 resolve to { output, status, usage }, it resolved to ${y(n)}`);let e=tn(se),t=new Zt(e),{usage:r,status:s,output:o,value:i,
artifacts:u,taskId:d,error:l}=lr(n,(c,f)=>t.unreadable(c,f));return he(r)||ho(r,e,t),e.how=ko(s,t),i!==q&&(e.value=i),typeof o==
"string"?e.output=ee(o):(!he(o)||e.how===se&&e.value===void 0)&&(t.wrong("output","a string",o),e.how===se&&(e.how=nt)),
!he(u)&&u!==q&&yo(u,e,t),typeof d=="string"?e.hostTaskId=d===""?void 0:Qt(d):he(d)||t.wrong("taskId","a string",d),typeof s==
"string"&&s!=="completed"&&(e.hostStatus=Qt(s)),!he(l)&&l!==""&&l!==q&&(e.error=ee(Qt(A(l))),typeof l=="object"&&(e.cause??=
l)),t.say(),e}a(ge,"readResult");var Zt=class{static{a(this,"Lost")}sentences=void 0;returned;constructor(e){this.returned=
e}unreadable(e,t){this.sentences===void 0&&(this.returned.cause=t),this.add(`the result's ${e} can't be read: ${A(t)}`)}wrong(e,t,r){
r!==q&&this.add(`the result's ${e} must be ${t}, got ${y(r)}`)}add(e){this.sentences??=[],this.sentences.push(e)}say(){if(this.
sentences===void 0)return;let{error:e}=this.returned;this.returned.error=[...e===void 0?[]:[e],...this.sentences].join("\
; ")}};function he(n){return n==null}a(he,"isAbsent");function ho(n,e,t){if(typeof n!="object"||n===null||!bo(n)){t.wrong(
"usage","{ tokens, costUsd, turns }",n),e.tokens=e.cost=e.turns=Number.NaN;return}let r=cr(n),s=B(r.costUsd);if(e.tokens=
en(r.tokens,r.inputTokens,r.outputTokens),e.cost=s===_?B(r.cost):s,e.turns=B(r.turns),e.durationMs=B(r.durationMs),e.tokens!==
_||e.cost!==_||e.turns!==_||e.durationMs!==_)return;let o=go(n);o.length!==0&&(t.add(`the result's usage has none of tok\
ens, costUsd, turns; it has ${o.map(y).join(", ")}`),e.tokens=e.cost=e.turns=Number.NaN)}a(ho,"readUsage");function go(n){
try{return Object.entries(n).filter(([,t])=>!he(t)).slice(0,5).map(([t])=>t)}catch{return[]}}a(go,"namesIn");function bo(n){
try{return!Array.isArray(n)&&typeof X(n,"then",n.then)!="function"}catch{return!1}}a(bo,"isUsage");function yo(n,e,t){try{
let{artifacts:r,artifactsJson:s}=dr("artifacts",n,o=>t.add(o));e.artifacts=r,e.artifactsJson=s}catch(r){t.add(A(r))}}a(yo,
"readArtifactsOf");function Qt(n){return n.length>C?n.slice(0,C):n}a(Qt,"cut");function br(n,e,t){if(n.how!==se)return n;
let r=e.check(n.value,t);return r instanceof Promise?r.then(s=>gr(n,s)):gr(n,r)}a(br,"checkValue");function gr(n,e){if("\
wrong"in e){let s=[e.wrong,...n.error===void 0?[]:[n.error]].join("; ");return{...n,how:nt,error:s,value:void 0}}let{value:t,
json:r}=e;return{...n,value:t,valueJson:r,output:n.output||r}}a(gr,"judged");function B(n){return n==null?_:typeof n=="n\
umber"&&n>=0?n:Number.NaN}a(B,"reading");function en(n,e,t){let r=B(n),[s,o]=[B(e),B(t)];return r!==_||s===_&&o===_?r:(s===
_?0:s)+(o===_?0:o)}a(en,"totalTokens");function ko(n,e){switch(n){case void 0:case null:case"completed":return se;case"f\
ailed":case"error":return lo;case"cancelled":case"aborted":return co;case"timed_out":case"timeout":return fo;default:return typeof n!=
"string"&&e.wrong("status","a string",n),n===q?nt:se}}a(ko,"statusOf");function tn(n){return{how:n,output:"",error:void 0,
cause:void 0,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:_,
cost:_,turns:_,durationMs:_}}a(tn,"empty");function rt(n,e){let t=tn(nt);return t.error=n,t.cause=e,t}a(rt,"invalidResul\
t");function be(){let n=tn(se);return n.tokens=n.cost=n.turns=0,n}a(be,"nothing");function st(n,e){let t=rt(n,e);return t.
how=Vn(e,"worker_lost")?mo:po,t}a(st,"threw");var nn={taskId:null,label:null,parentId:null,metadata:null,sessionKey:null},wo=["tokens","costUsd","turns"],ot=class{static{
a(this,"FactFields")}decoder=new TextDecoder("utf-8",{ignoreBOM:!0});subjects;admittedSlot=0;admittedGeneration=0;slot=0;generation=0;ofRun=0;constructor(e){
this.subjects=e}flag(){return this.byte()===1}json(){return JSON.parse(this.text())}task(){return this.idAt(this.number(),
this.number())}newTask(){return this.admittedSlot=this.number(),this.admittedGeneration=this.number(),this.idAt(this.admittedSlot,
this.admittedGeneration)}subject(){if(this.slot=this.number(),this.generation=this.number(),this.slot<=1)return nn;let e=this.
subjects.subjectOf(this.slot,this.generation);return this.refresh(),e}run(){return this.ofRun=this.number(),this.ofRun}taskText(){
return this.known(this.subjects.textOf?.(this.admittedSlot,this.admittedGeneration))}output(){return this.known(this.subjects.
outputOf?.(this.slot,this.generation,this.ofRun))}dollars(){return this.number()/1e9}amounts(){return{tokens:this.number(),
costUsd:this.dollars(),turns:this.number()}}dimensions(){let e=this.byte();return e===0?[]:wo.filter((t,r)=>(e&1<<r)!==0)}name(e){
return e[this.byte()]}list(e){let t=[];for(let r=this.number();r>0;r-=1)t.push(e());return t}idAt(e,t){if(e<=1)return null;
let r=this.subjects.idOf(e,t);return this.refresh(),r}known(e){return e===void 0?this.text():(this.skipText(),e)}};var So=2**64-2048,xo={idOf:a(()=>null,"idOf"),subjectOf:a(()=>nn,"subjectOf")},it=class extends ot{static{a(this,"FactBy\
tes")}bytes;at=0;constructor(e,t=xo){super(t),this.bytes=e}get position(){return this.at}get isOver(){return this.at>=this.
bytes.length}byte(){if(this.at>=this.bytes.length)throw new Error("a fact was cut off");return this.bytes[this.at++]}number(){
let e=this.byte();if(e<128)return e;let t=e-128,r=128;for(;;){let s=this.byte();if(s<128)return t+=s*r,t>=So?Number.POSITIVE_INFINITY:
t;t+=(s-128)*r,r*=128}}signed(){let e=this.number();return e%2===0?e/2:-(e+1)/2}text(){let e=this.pass();return e===this.
at?"":this.decoder.decode(this.bytes.subarray(e,this.at))}skipText(){this.pass()}refresh(){}pass(){let e=this.number(),t=this.
at;if(this.at+=e,this.at>this.bytes.length)throw new Error("a fact was cut off");return t}};var Y=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],v=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],at=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var rn=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],sn=["inject","\
force_turn","block","finish"],Ee=["adopt","wait","cancel"];var Ao=a(n=>({max:n.number(),backoffMs:n.number(),on:n.list(()=>n.name(v))}),"retry"),yr=a(n=>({label:n.flag()?n.text():
null,nickname:n.flag()?n.text():null,contextHint:n.flag()?n.text():null,tools:n.flag()?n.list(()=>n.text()):null,systemPrompt:n.
flag()?n.text():null,profile:n.flag()?n.text():null,modelId:n.flag()?n.text():null,sourceAgentId:n.flag()?n.text():null,
maxTurns:n.flag()?n.number():null,timeoutMs:n.flag()?n.number():null,idleTimeoutMs:n.flag()?n.number():null,turnEstimate:n.
flag()?n.number():null,priority:n.flag()?n.signed():null,rateLimitKey:n.flag()?n.text():null,disallowedTools:n.flag()?n.
list(()=>n.text()):null,originChannel:n.flag()?n.text():null,originChatId:n.flag()?n.text():null,json:n.flag(),onParentEnd:n.
flag()?n.name(Ee):null,metadata:n.flag()?n.json():null,retry:n.flag()?Ao(n):null,turnEstimateUsd:n.flag()?n.dollars():null}),
"spec");function kr(n,e,t){if(!n.knowsTools&&t===void 0)return e;let r={},{runtime:s,slot:o,generation:i}=n;if(n.knowsTools){let u=n.
snapshot().tools??[];Oo(t?.tools,u)||(r.tools=[...u])}if(t?.maxTurns!==void 0||t?.maxCost!==void 0){let u=s.call(d=>d.runLimits(
o,i));t.maxTurns!==void 0&&u!==void 0&&u.maxTurns<t.maxTurns&&(r.maxTurns=u.maxTurns),t.maxCost!==void 0&&u!==void 0&&u.
costUsd<t.maxCost&&(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:vo(e,r)}a(kr,"allowed");function vo(n,e){let t=Object.
getOwnPropertyDescriptors(n);for(let[r,s]of Object.entries(e))t[r]={value:s,enumerable:!0,writable:!0,configurable:!0};return Object.
create(Object.getPrototypeOf(n),t)}a(vo,"replaced");function Oo(n,e){return n?.length===e.length&&e.every((t,r)=>t===n[r])}
a(Oo,"isSame");var oe=[{name:"label",alias:void 0,staged:"label",kind:"label",isDefined:!1},{name:"nickname",alias:void 0,staged:"nickn\
ame",kind:"name",isDefined:!1},{name:"contextHint",alias:void 0,staged:"contextHint",kind:"text",isDefined:!0},{name:"to\
ols",alias:void 0,staged:"tools",kind:"texts",isDefined:!0},{name:"systemPrompt",alias:void 0,staged:"systemPrompt",kind:"\
text",isDefined:!1},{name:"profile",alias:"promptProfile",staged:"profile",kind:"reference",isDefined:!0},{name:"modelId",
alias:void 0,staged:"modelId",kind:"text",isDefined:!1},{name:"agent",alias:"agentId",staged:"sourceAgentId",kind:"refer\
ence",isDefined:!1},{name:"maxTurns",alias:"maxSteps",staged:"maxTurns",kind:"count",isDefined:!0},{name:"timeoutMs",alias:void 0,
staged:"timeoutMs",kind:"duration",isDefined:!0},{name:"idleTimeoutMs",alias:void 0,staged:"idleTimeoutMs",kind:"duratio\
n",isDefined:!0},{name:"turnEstimate",alias:void 0,staged:"turnEstimate",kind:"count",isDefined:!0},{name:"priority",alias:void 0,
staged:"priority",kind:"integer",isDefined:!0},{name:"rateLimitKey",alias:void 0,staged:"rateLimitKey",kind:"name",isDefined:!0},
{name:"onParentEnd",alias:void 0,staged:"onParentEnd",kind:"onParentEnd",isDefined:!1},{name:"metadata",alias:void 0,staged:"\
metadata",kind:"metadata",isDefined:!1},{name:"retry",alias:void 0,staged:"retry",kind:"retry",isDefined:!0},{name:"turn\
EstimateUsd",alias:void 0,staged:"turnEstimateUsd",kind:"dollars",isDefined:!0}];var wr={tokens:Number.NaN,cost:Number.NaN};function To(n){return yr(new it(n))}a(To,"readGiven");var z=class n{static{a(
this,"ActiveRun")}static{Object.setPrototypeOf(n.prototype,null)}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;knowsTools=!1;abortedEarly=!1;text=void 0;#e=void 0;#t=void 0;result=void 0;returned=void 0;turn=void 0;agent=void 0;#n=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,t,r){
this.runtime=e,this.given=t,this.asked=r}get format(){return this.#t??=this.snapshot().format,this.#t}set format(e){this.#t=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#n??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#n=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let t=new n(this.runtime,this.given);return t.slot=this.slot,t.generation=this.generation,t.run=this.run+1,t.text=this.text,
t.#e=this.#e,t.#t=this.#t,t.#n=this.#n,t.watch=this.watch,t.before=this.returned,t.previousError={reason:e,error:this.returned?.
error??null},[t.followers,this.followers]=[this.followers,void 0],[t.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=t,t}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=a(()=>{},"re\
solve"),t=new Promise(r=>{e=r});this.named={promise:t,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:t,maxTurns:r,background:s}=this.snapshot(),
o={instructions:this.prompt(),maxTurns:r,background:s,...e&&{tools:e},...t&&{systemPrompt:t}};this.given=this.runtime.journal?.
goesOn===!0?{...this.keptParams(),...o}:o}else this.isAllowed||(this.given=kr(this,this.given,this.asked));return this.isAllowed=
!0,this.given}keptParams(){let e={},t=this.runtime.call(s=>s.given(this.slot,this.generation));if(t!==void 0){let s=To(t);
for(let{name:o,staged:i}of oe)s[i]!==null&&(e[o]=s[i]);s.json&&(e.format="json"),s.originChannel!==null&&(e.origin={channel:s.
originChannel,chatId:s.originChatId})}let r=Object.entries(this.snapshot().budget).flatMap(([s,{cap:o}])=>Number.isFinite(
o)?[[s,o]]:[]);if(r.length>0){let s=Object.fromEntries(r);e.budget=s,s.costUsd!==void 0&&(e.maxCost=s.costUsd)}return e}handedRun(){
return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.
slot))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=
this.runtime.lookup.brief(this.slot,this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=
new AbortController,this.aborted!==void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){
this.aborted=e,this.controller?.abort(this.abortError(e)),this.stopping?.(e)}whenAborted(e){this.aborted!==void 0?e(this.
aborted):this.stopping=e}abortError(e){return new g("aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var Sr=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function xr(n,e,t){let r,s=wr;
try{t!==void 0&&(s=jo(t));let i=e.agent;if(e.turn!==void 0||i?.asksForTurn===!0)throw new g("invalid_argument","the last\
 beforeTurn has not answered yet");let{gates:u,runs:d}=n;u.sub.has("before_turn")||i?.hasInjected===!0?r=u.beforeTurn(u.
agentOf(e),()=>d.takeTurn(e,s)):r=d.takeTurn(e,s)}catch(i){r=Promise.reject(i)}let o=n.answer(r);return e.watch!==void 0&&
o.then(i=>i.go&&e.watch?.(e,{turn:i.turn}),Ro),o}a(xr,"beforeTurn");function Ro(){}a(Ro,"ignored");function jo(n){return O(
"the options of beforeTurn",()=>{let{tokens:e,costUsd:t}=or("beforeTurn",n,["tokens","costUsd"]),r=t===0?0:me("`costUsd`",
t);return{tokens:N("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}a(jo,"estimateOf");function Ar(n,e,t){let{tokens:r,costUsd:s,
contextTokens:o,message:i,list:u}=O("a report",()=>{let p=T("a report",t),{tokens:m,inputTokens:w,outputTokens:k,costUsd:R,
contextTokens:S,message:x,todos:U}=p,Ut=en(m,w,k);for(let Oe in p)if(!Sr.includes(Oe))throw qe("a report",Oe,Sr);return x!==
void 0&&P("`message`",x),{tokens:Ut,costUsd:R,contextTokens:S,message:x,list:U===void 0?void 0:ir(U)}});if(n.isClosed)return;
i!==void 0&&n.gates.agentOf(e).say(i);let d=i===void 0?4294967295:n.write(i),{slot:l,generation:c,run:f}=e;n.act(p=>p.report(
h(),l,c,f,r,B(s),B(o),d)),u!==void 0&&ar(n,e,u),i!==void 0&&e.watch!==void 0&&n.onceKept(()=>e.watch?.(e,{message:i}))}a(
Ar,"reportOn");var ut=class{static{a(this,"BareRun")}#e;#t;constructor(e,t){this.#e=e,this.#t=t}get taskId(){return this.#t.taskId}get run(){
return this.#t.run}get prompt(){return this.#t.prompt()}get signal(){return this.#t.signal}beforeTurn(e){return xr(this.#e,
this.#t,e)}report(e){Ar(this.#e,this.#t,e)}};var Io={triggerAsyncId:void 0,requireManualDestroy:!1},vr;function Tr(){return vr??={capture:Po(globalThis)},vr.capture}
a(Tr,"capture");function Po({process:n,AsyncLocalStorage:e,AsyncContext:t}){let r=Or(Eo(n))??Or(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let s=t?.Snapshot;if(typeof s=="function")return an(()=>{let o=new s;return{runInAsyncScope:a((i,u,...d)=>o.run(
()=>i.apply(u,d)),"runInAsyncScope")}})}a(Po,"find");function Eo(n){try{return n?.getBuiltinModule?.("async_hooks")}catch{
return}}a(Eo,"builtIn");function Or(n){let{AsyncResource:e,AsyncLocalStorage:t}=n??{};if(typeof e=="function")return an(
()=>new e("SubAgent",Io));if(typeof t?.snapshot=="function")return an(()=>{let r=t.snapshot();return{runInAsyncScope:a((s,o,...i)=>r(
()=>s.apply(o,i)),"runInAsyncScope")}})}a(Or,"captureOf");function an(n){try{return n().runInAsyncScope(()=>!0)?n:void 0}catch{
return}}a(an,"tried");function te(n){let e=Tr()?.();return e===void 0?n:((...t)=>e.runInAsyncScope(n,void 0,...t))}a(te,
"bound");var dt=class{static{a(this,"Contexts")}kept=[];generations=[];capture=Tr();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,t){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=t)}enter(e){
let t=this.entered;return this.entered=this.kept[e],t}leave(e){this.entered=e}run(e,t,r){let s=this.generations[e]===t?this.
kept[e]:this.opening;return s===void 0||s===this.entered?r():s.runInAsyncScope(r)}taskForgotten(e,t){this.generations[e]===
t&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var Rr=16384,jr=32;function Ir(n,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw lt(n,"a plain\
 object of JSON values",e);return dn(e,n,0,{left:Rr,what:"metadata",most:Rr})}}a(Ir,"readMetadata");function Pr(n){return n===null?null:JSON.parse(n)}a(Pr,"metadataOf");function lt(n,e,t){return b(`\`${n}\``,e,t)}a(lt,"w\
rong");function dn(n,e,t,r){if(typeof n=="string"||typeof n=="boolean"||n===null)return un(JSON.stringify(n),r);if(typeof n==
"number"){if(!Number.isFinite(n))throw lt(e,"a number that JSON has",n);return un(JSON.stringify(n),r)}if(typeof n!="obj\
ect")throw lt(e,"a value that JSON has",n);if(t>=jr)throw new g("invalid_argument",`\`${e}\` nests deeper than ${jr} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(n)){let i=[];for(let u=0;u<n.length;u+=1){if(!Object.hasOwn(n,u))throw lt(
`${e}[${u}]`,"a value that JSON has",void 0);i.push(dn(n[u],`${e}[${u}]`,t+1,r))}return`[${i.join(",")}]`}let s=Object.getPrototypeOf(
n);if(s!==null&&Object.getPrototypeOf(s)!==null)throw new g("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${y(n)} of a class`,{argument:e});let o=[];for(let i of Object.keys(n)){let u=n[i];if(u===void 0)continue;let d=un(
JSON.stringify(i),r);o.push(`${d}:${dn(u,/^[\w$]{1,40}$/.test(i)?`${e}.${i}`:`${e}[…]`,t+1,r)}`)}return`{${o.join(",")}\
}`}a(dn,"jsonOf");function un(n,e){if(e.left-=n.length+1,e.left>=0)return n;let{what:t,most:r}=e,s=`\`${t}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new g("invalid_argument",s,
{argument:t,limit:r})}a(un,"spent");function ct(n,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:t,backoffMs:r,on:s,...o}=T(`\`${n}\``,e);H(n,o,["m\
ax","backoffMs","on"]);let i=N(`\`${n}.max\``,t);if(i===void 0)throw b(`\`${n}.max\``,"a whole number of at least 1, or \
Infinity",t);let u={max:i};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw b(`\`${n}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(s!==void 0){let d=`a list of ${at.join(", ")}`;if(u.on=
D(`\`${n}.on\``,d,s,(l,c)=>{if(!at.includes(l))throw b(c,`one of ${at.join(", ")}`,l);return l}),u.on.length===0)throw b(
`\`${n}.on\``,d,s)}return u}a(ct,"readRetry");var _o=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),ln={string:a(n=>typeof n=="string","string"),number:a(n=>typeof n=="number","number"),
integer:a(n=>Number.isInteger(n),"integer"),boolean:a(n=>typeof n=="boolean","boolean"),null:a(n=>n===null,"null"),array:a(
n=>Array.isArray(n),"array"),object:$};function _r(n){return new mn(n).read(n,"")}a(_r,"readJsonSchema");var mn=class{static{
a(this,"Reader")}#e;#t=new Map;constructor(e){this.#e=e}read(e,t){if(e===!0)return()=>{};if(e===!1)return(i,u)=>`${u} mu\
st not be there`;if(!$(e))throw K(t,`must be an object or a boolean, got ${y(e)}`);let r=this.#t.get(e);if(r!==void 0)return r;
let s=[],o=a((i,u)=>{for(let d of s){let l=d(i,u);if(l!==void 0)return l}},"check");this.#t.set(e,o);for(let i of Object.
keys(e)){if(_o.has(i))continue;let u=Object.hasOwn(hn,i)?hn[i]:void 0;if(u===void 0)throw K(t,`has \`${i}\`, which is not\
 checked here; it may have ${Mo}`);s.push(u({reader:this,schema:e,place:`${t}/${i}`,given:e[i]}))}return o}find(e,t){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw K(t,`refers to ${y(e)}; only references within the schema are read`);let r=this.#e;
for(let s of e.slice(2).split("/")){let o=s.replaceAll("~1","/").replaceAll("~0","~");r=$(r)&&Object.hasOwn(r,o)?r[o]:void 0}
if(r===void 0)throw K(t,`refers to ${y(e)}, which is not there`);return r}};function K(n,e){let t=n===""?"`schema`":`\`sc\
hema\` at ${n}`;return new g("invalid_argument",`${t} ${e}`,{argument:"schema"})}a(K,"refused");function $(n){return typeof n==
"object"&&n!==null&&!Array.isArray(n)}a($,"isObject");function L({given:n,place:e},t=Number.NEGATIVE_INFINITY){if(typeof n==
"number"&&n>=t)return n;throw K(e,`must be a number${t===0?" of at least 0":""}, got ${y(n)}`)}a(L,"number");function _e({
given:n,place:e}){if(Array.isArray(n)&&n.length>0)return n;throw K(e,`must be a list that is not empty, got ${y(n)}`)}a(
_e,"list");function Co({given:n,place:e}){if($(n))return n;throw K(e,`must be an object, got ${y(n)}`)}a(Co,"object");var Ce=a(
(n,e)=>(t,r)=>typeof t=="number"&&!n(t)?`${r} must be ${e}`:void 0,"ofNumbers"),cn=a((n,e)=>(t,r)=>typeof t=="string"&&!n(
t)?`${r} must have ${e}`:void 0,"ofTexts"),fn=a((n,e)=>(t,r)=>Array.isArray(t)&&!n(t)?`${r} must have ${e}`:void 0,"ofLi\
sts");function ft(n,e){if(Object.is(n,e)||n===e)return!0;if(Array.isArray(n)&&Array.isArray(e))return n.length===e.length&&
n.every((s,o)=>ft(s,e[o]));if(!$(n)||!$(e))return!1;let[t,r]=[Object.keys(n),Object.keys(e)];return t.length===r.length&&
t.every(s=>Object.hasOwn(e,s)&&ft(n[s],e[s]))}a(ft,"same");function No(n){return JSON.stringify(n,(e,t)=>$(t)?Object.fromEntries(
Object.entries(t).sort(([r],[s])=>r<s?-1:1)):t)}a(No,"canonical");var Er=a(n=>[...n].length,"points"),pn=a((n,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${n}.${e}`:`${n}[${JSON.stringify(e)}]`,"field"),hn={type({given:n,place:e}){let t=Array.isArray(n)?n:[n],r=t.map(
o=>typeof o=="string"&&Object.hasOwn(ln,o)?ln[o]:void 0);if(r.length===0||r.includes(void 0))throw K(e,`must be ${Object.
keys(ln).join(", ")}, or a list of these; got ${y(n)}`);let s=t.join(" or ");return(o,i)=>r.some(u=>u?.(o))?void 0:`${i}\
 must be of the type ${s}, got ${y(o)}`},enum(n){let e=_e(n);return(t,r)=>e.some(s=>ft(s,t))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:n}){return(e,t)=>ft(n,e)?void 0:`${t} must be ${JSON.stringify(n)}`},properties(n){
let e=Object.entries(Co(n)).map(([t,r])=>[t,n.reader.read(r,`${n.place}/${t}`)]);return(t,r)=>{if($(t))for(let[s,o]of e){
let i=Object.hasOwn(t,s)?o(t[s],pn(r,s)):void 0;if(i!==void 0)return i}}},required({given:n,place:e}){if(!Array.isArray(
n)||!n.every(r=>typeof r=="string"))throw K(e,"must be a list of names");let t=n;return(r,s)=>{let o=$(r)?t.find(i=>!Object.
hasOwn(r,i)):void 0;return o===void 0?void 0:`${pn(s,o)} is missing`}},additionalProperties({reader:n,schema:e,given:t,place:r}){
let s=new Set($(e.properties)?Object.keys(e.properties):[]),o=n.read(t,r);return(i,u)=>{if($(i))for(let d of Object.keys(
i)){let l=s.has(d)?void 0:o(i[d],pn(u,d));if(l!==void 0)return l}}},minProperties:a(n=>{let e=L(n,0);return(t,r)=>$(t)&&
Object.keys(t).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:a(n=>{let e=L(n,0);
return(t,r)=>$(t)&&Object.keys(t).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:n,
schema:e,given:t,place:r}){let s=Array.isArray(e.prefixItems)?e.prefixItems.length:0,o=n.read(t,r);return(i,u)=>{if(Array.
isArray(i))for(let d=s;d<i.length;d+=1){let l=o(i[d],`${u}[${d}]`);if(l!==void 0)return l}}},prefixItems(n){let e=_e(n).
map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{if(Array.isArray(t))for(let[s,o]of e.entries()){let i=s<t.length?
o(t[s],`${r}[${s}]`):void 0;if(i!==void 0)return i}}},minItems:a(n=>{let e=L(n,0);return fn(t=>t.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:a(n=>{let e=L(n,0);return fn(t=>t.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:a(
({given:n})=>fn(e=>n!==!0||new Set(e.map(No)).size===e.length,"no entry twice"),"uniqueItems"),minimum:a(n=>{let e=L(n);
return Ce(t=>t>=e,`at least ${e}`)},"minimum"),maximum:a(n=>{let e=L(n);return Ce(t=>t<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:a(
n=>{let e=L(n);return Ce(t=>t>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:a(n=>{let e=L(n);return Ce(t=>t<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:a(n=>{let e=L(n);if(e<=0)throw K(n.place,"must be above 0");return Ce(
a(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:a(n=>{let e=L(n,0);return cn(
t=>Er(t)>=e,`at least ${e} characters`)},"minLength"),maxLength:a(n=>{let e=L(n,0);return cn(t=>Er(t)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:n,place:e}){let t;try{t=new RegExp(n,"u")}catch(r){throw K(e,`is no regular exp\
ression: ${r.message}`)}return cn(r=>t.test(r),`the pattern ${t.source}`)},allOf(n){let e=_e(n).map((t,r)=>n.reader.read(
t,`${n.place}/${r}`));return(t,r)=>e.reduce((s,o)=>s??o(t,r),void 0)},anyOf(n){let e=_e(n).map((t,r)=>n.reader.read(t,`${n.
place}/${r}`));return(t,r)=>{let s=e.map(o=>o(t,r));return s.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${s.join("; ")}`}},oneOf(n){let e=_e(n).map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{let s=e.map(i=>i(
t,r)),o=s.filter(i=>i===void 0).length;if(o!==1)return o>1?`${r} fits ${o} alternatives, not one`:`${r} fits none of the\
 alternatives: ${s.join("; ")}`}},not({reader:n,given:e,place:t}){let r=n.read(e,t);return(s,o)=>r(s,o)===void 0?`${o} m\
ust not be as it is`:void 0},$ref({reader:n,given:e,place:t}){if(typeof e!="string")throw K(t,`must be a text, got ${y(e)}`);
return n.read(n.find(e,t),e)}},$o=Object.keys(hn),Mo=$o.join(", ");function Cr(n){if(n===void 0)return;if((typeof n=="object"&&n!==null||typeof n=="function")&&"~standard"in n)return Fo(n);
if(typeof n!="object"||n===null||Array.isArray(n))throw b("`schema`","a Standard Schema or a JSON Schema object",n);let t=_r(
n);return{schema:n,check(r,s){if(r===void 0)return Nr;let o=$r(r,s);if("wrong"in o)return o;let i=JSON.parse(o.json);try{
let u=t(i,"value");return u===void 0?{value:i,json:o.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${A(u)}`}}}}}
a(Cr,"readSchema");var Nr={wrong:"the result has no `value`, and its `schema` asks for one"};function Fo(n){let e=n["~st\
andard"],{validate:t}=typeof e=="object"&&e!==null?e:{};if(typeof t!="function")throw b("`schema`","a Standard Schema wi\
th `validate`",n);return{schema:n,check(r,s){if(r===void 0)return Nr;let o=a(u=>({wrong:`the schema failed: ${A(u)}`}),"\
failed"),i=a(u=>{try{return Ko(u,s)}catch(d){return o(d)}},"judge");try{let u=t(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(i,o):i(u)}catch(u){return o(u)}}}}a(Fo,"readStandard");function Ko(n,e){
if(typeof n!="object"||n===null)return{wrong:`the schema failed: it answered ${y(n)}`};if(n.issues!==void 0)return{wrong:n.
issues.map(Do).join("; ")||"the schema refused the value"};let t=$r(n.value,e);return"wrong"in t?t:{value:n.value,json:t.
json}}a(Ko,"judged");function Do({message:n,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${n}`}a(Do,"sayIssue");function $r(n,e){let t=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,C),s;try{s=et(n,r,`it has more than ${r} bytes ${t}`)}catch(i){return{wrong:`value is no\
 JSON: ${A(i)}`}}if(s===void 0)return{wrong:`value is no JSON: ${y(n)}`};let o=s.length*3<=e?s.length:new TextEncoder().
encode(s).length;return o>e?{wrong:`value has ${o} bytes ${t}`}:{json:s}}a($r,"store");function pt(n){return n.staged??=Wr({}),n.staged}a(pt,"stagedBy");var Lo=["instructions","goal","message","task","taskDe\
scription","task_description"],Mr=(()=>{let n=oe.flatMap(({name:e,alias:t})=>t===void 0?[e]:[e,t]);return new Set([...n,
"idempotencyKey","origin","format"])})(),Fr=new Set(["instructions","goal","message","task","taskDescription","task_desc\
ription","maxCost","budget","signal","schema"]);function Ne(n,e,t=!1){try{return Uo(n,e,t)}catch(r){throw zt("the option\
s of spawn",r)}}a(Ne,"readSpawn");function Uo(n,e,t){let s=typeof n=="object"&&n!==null&&Object.getPrototypeOf(n)===Object.
prototype?n:T("the options of spawn",n),o={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,cost:Number.
NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},i,u=!1;for(let d of Object.getOwnPropertyNames(
s))if(d==="instructions")o.text=Br(s,d,o.text);else if(Mr.has(d))i??={__proto__:null},i[d]=s[d];else if(d==="background"){
let{background:l}=s;if(l!==void 0&&typeof l!="boolean")throw b("`background`","a boolean",l);o.background=l===!0,u=l!==void 0}else if(Fr.
has(d))Jo(o,s,d);else if(Object.prototype.propertyIsEnumerable.call(s,d))throw Re("spawn",d,[...Mr,...Fr,"background"]);
if(Number.isNaN(o.cost)||(o.asked=Kr(o,s)),i!==void 0||t&&!Number.isNaN(o.cost)){if(o.staged=Wr(i??{}),o.asked=Kr(o,s),t&&
Bo(o,o.staged),o.staged.idempotencyKey!==void 0&&(o.staged.parameters=Wo(o)),e?.agents.fill(o,o.staged,u),o.staged.onParentEnd!==
void 0&&!o.background)throw new g("invalid_argument","`onParentEnd` is for `background: true`: others end with their cal\
ler",{argument:"onParentEnd"});o.staged.profile!==void 0&&e?.profiles.check(o.staged.profile)}return o}a(Uo,"read");function Kr({
staged:n,cost:e},t){return{tools:n?.tools,maxTurns:Object.hasOwn(t,"maxTurns")?n?.maxTurns:void 0,maxCost:Object.hasOwn(
t,"maxCost")&&!Number.isNaN(e)?e:void 0}}a(Kr,"askedOf");function Bo(n,e){e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.
isNaN(n.cost)&&(e.wishedCost=n.cost,n.cost=Number.NaN)}a(Bo,"wish");function Wo({signal:n,renamed:e,asked:t,schema:r,staged:s,
...o}){let{idempotencyKey:i,metadata:u,...d}=s;return JSON.stringify({...o,...d,...r&&{schema:!0}},(l,c)=>typeof c=="num\
ber"?`${c}`:c)}a(Wo,"parametersOf");function Br(n,e,t){let r=n[e];if(r===void 0)return t;let s=qt(r)?r:P(`\`${e}\``,r);if(t!==
void 0)throw Dr(e,`says the same as another option: give one of ${Lo.join(", ")}`);if(Go(s))throw Dr(e,"must not be empt\
y");return ee(s)}a(Br,"readText");function Dr(n,e){return new g("invalid_argument",`\`${n}\` ${e}`,{argument:n})}a(Dr,"w\
rongText");function Go(n){let e=n.charCodeAt(0);return!(e>32&&e<127)&&n.trim()===""}a(Go,"isBlank");function Jo(n,e,t){switch(t){case"\
maxCost":{let r=me("`maxCost`",e.maxCost);r!==void 0&&(n.cost=Lr(n.cost,r,"maxCost"));return}case"budget":{let r=Pe("bud\
get",e.budget);r.tokens!==void 0&&(n.tokens=r.tokens),r.costUsd!==void 0&&(n.cost=Lr(n.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(n.turns=r.turns);return}case"schema":{n.schema=Cr(e.schema);return}case"signal":{n.signal=Ye("`signal\
`",e.signal);return}default:{let r=Br(e,t,n.text);n.renamed||=r!==n.text,n.text=r}}}a(Jo,"readOther");function Lr(n,e,t){
if(!Number.isNaN(n))throw Q("`maxCost` and `budget.costUsd`",t);return e}a(Lr,"only");function Wr(n){let e=Object.create(
null);for(let{name:t,alias:r,staged:s,kind:o}of oe){let i=Ur(o,t,n[t]),u=r===void 0?void 0:Ur(o,r,n[r]);if(i!==void 0&&u!==
void 0)throw Q(`\`${t}\` and \`${r}\``,r);i??=u,i!==void 0&&(e[s]=i)}return n.idempotencyKey!==void 0&&(e.idempotencyKey=
Xe("`idempotencyKey`",n.idempotencyKey)),n.origin!==void 0&&Object.assign(e,Ho(n.origin)),Vo(n.format)==="json"&&(e.json=
!0),e}a(Wr,"readStaged");function Ur(n,e,t){if(t===void 0)return;let r=`\`${e}\``;switch(n){case"text":return V(r,t);case"\
label":return V(r,t)?.trim()===""?void 0:t;case"name":return Xe(r,t);case"reference":return t===null?void 0:Xe(r,t);case"\
texts":return Z(r,t);case"count":return N(r,t);case"dollars":return me(r,t);case"duration":return Qe(r,t);case"integer":
return ur(r,t);case"onParentEnd":if(!Ee.includes(t))throw b(r,`one of ${Ee.join(", ")}`,t);return t;case"retry":return ct(
e,t);case"metadata":return Ir(e,t);default:return n}}a(Ur,"readPassed");function Ho(n){let e=T("`origin`",n,"an object w\
ith channel and chatId"),{channel:t,chatId:r,...s}=e;if(H("origin",s,["channel","chatId"]),t!==void 0&&(typeof t!="strin\
g"||t===""||t.includes(":")))throw b("`origin.channel`","a text without a colon",t);if(r!==void 0&&(typeof r!="string"||
r===""))throw b("`origin.chatId`","a text",r);return{originChannel:V("`origin.channel`",t),originChatId:V("`origin.chatI\
d`",r)}}a(Ho,"originOf");function Vo(n){if(n===void 0||n==="text"||n==="json")return n;throw b("`format`","'text' or 'js\
on'",n)}a(Vo,"formatOf");var Gr={description:!0,prompt:!0,model:!0,disallowedTools:!0},ye=class{static{a(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[t,r]of Object.entries(T("`agents`",e,"an object of definitions")))this.#e.set(t,O(`\`agents.${t}\``,
()=>qo(t,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:t}])=>`- ${e}\
: ${t}`).join(`
`)}checkProfiles(e){for(let{staged:t}of this.#e.values())t.profile!==void 0&&e.check(t.profile)}fill(e,t,r){let{sourceAgentId:s}=t;
if(s===void 0)return;let o=this.#e.get(s);if(o===void 0){let{names:d}=this,l=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new g("unknown_agent",`there is no agent called ${y(s)}; ${l}`,{agent:s,known:d})}let{request:i,staged:u}=o;
Number.isNaN(e.tokens)&&(e.tokens=i.tokens),Number.isNaN(e.cost)&&(e.cost=i.cost),Number.isNaN(e.turns)&&(e.turns=i.turns),
r||(e.background=i.background),e.schema??=i.schema;for(let d of Object.keys(u))t[d]===void 0&&(t[d]=u[d])}};function qo(n,e){
if(n==="")throw new g("invalid_argument","the name of an agent must not be empty");pe("the name of an agent",n);let t=T(
`\`agents.${n}\``,e),{description:r,prompt:s,model:o,disallowedTools:i}=t;if(typeof r!="string"||r.trim()==="")throw b(`\
\`agents.${n}.description\``,"a text",r);let u=Object.entries(t).filter(([c])=>!Object.hasOwn(Gr,c)),d=u.find(([c])=>!Jr.
has(c))?.[0];if(d!==void 0)throw je(`an agent has no \`${d}\`: \`agents.${n}\``,d,[...Jr,...Object.keys(Gr)],{argument:`\
agents.${n}.${d}`});let l=Object.fromEntries(u);s!==void 0&&(l.systemPrompt=s),o!==void 0&&o!=="inherit"&&(l.modelId=o),
l.agent=n;try{let c=Ne(l),f=c.staged;return i!==void 0&&(f.disallowedTools=Z("`disallowedTools`",i)),{description:r.trim(),
request:c,staged:f}}catch(c){let{code:f,message:p,details:m}=c;throw new g(f,`agents.${n}: ${p}`,{...m})}}a(qo,"read");var Jr=(()=>{
let n=oe.filter(({isDefined:e})=>e).map(({name:e})=>e);return new Set([...n,"background","budget","maxCost","schema"])})();var $e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,
maxNotices:1e5,maxInjected:32};var Hr;function M(n,e){Hr??=new Map(Object.keys($e).map((r,s)=>[r,s]));let t=Hr.get(e);return n.call(r=>r.limit(t))}a(M,
"limitOf");var mt={maxSubAgentSteps:"maxTurns"},Vr=[...Object.keys($e),...Object.keys(mt),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Yo(n){let e=Object.keys(mt).filter(t=>mt[t]===n);return[n,...e].map(t=>`\`${t}\``).join(", ")}a(Yo,"\
namesOf");var ht=class{static{a(this,"Bounds")}#e=!1;#t=new Map;#n={};#r;#s;#o;take(e,t){let r=mt[e]??e;if(e==="budget")
this.#n=Pe(e,t);else if(e==="totalTokenBudget")this.#r=N("`totalTokenBudget`",t);else if(e==="taskBudget")this.#s=Pe(e,t);else if(e===
"onLimit"){if(t!=="queue"&&t!=="reject")throw b("`onLimit`","'queue' or 'reject'",t);this.#o=t}else if(Object.hasOwn($e,
r))this.#i(e,r,t);else return!1;return this.#e=!0,!0}#i(e,t,r){if(typeof r!="number")throw b(`\`${e}\``,"a number",r);if(e!==
t&&N(`\`${e}\``,r),this.#t.has(t))throw new g("invalid_argument",`\`${t}\` and its alias say the same: give one of ${Yo(
t)}`,{argument:e});this.#t.set(t,r)}apply(e,t={}){if(!this.#e&&Object.keys(t).length===0)return;let r=this.#n;if(this.#r!==
void 0){if(r.tokens!==void 0)throw Q("`totalTokenBudget` and `budget.tokens`","totalTokenBudget");r={...r,tokens:this.#r}}
let s={budget:r,taskBudget:this.#s,onLimit:this.#o},o={...t,limits:[...this.#t],...s};if(!e.call(i=>i.configure(h(),o)))
throw this.#a(e.refusal());e.carryOut(),e.expectSound()}#a(e){let{code:t,message:r,details:s}=e,o=[...this.#t].find(([i])=>r.
startsWith(`\`${i}\``));return o===void 0?e:new g(t,`${r}, got ${y(o[1])}`,{...s})}};var gn="minimal",qr=`You are a sub-agent: another agent gave you one task, and you see nothing else of its work.
- Work on this task and on nothing else.
- You can not send messages to the user or ask them anything.
- You can not start sub-agents.
- End with a clear and concise summary of what you did and what you found. It is all that the other agent gets.`,zo=qr.replace(
`- You can not start sub-agents.
`,""),ke=class{static{a(this,"Profiles")}#e=new Map([[gn,(e,t)=>t?zo:qr]]);constructor(e){if(e!==void 0)for(let[t,r]of Object.
entries(T("`profiles`",e,"an object of functions"))){if(pe("the name of a profile",t),typeof r!="function")throw b(`\`pro\
files.${t}\``,"a function that makes a system prompt",r);this.#e.set(t,s=>r(s()))}}get names(){return[...this.#e.keys()]}check(e){
if(this.#e.has(e))return;let t=[...this.#e.keys()];throw new g("unknown_profile",`there is no profile called ${y(e)}; th\
ere are ${t.join(", ")}`,{profile:e,known:t})}prompt(e,t,r){this.check(e);let s;try{s=this.#e.get(e)?.(t,r)}catch(o){throw new g(
"invalid_argument",`the profile ${y(e)} failed: ${A(o)}`,{},{cause:o})}if(typeof s!="string")throw b(`what the profile ${y(
e)} returns`,"a string",s);return s}};var Yr=512,zr=1024;function gt(n){let e=n%Yr;return{turn:Math.floor(n/zr),injects:n%zr>=Yr,wrapUp:e===0?void 0:v[e-1]}}a(
gt,"turnOf");function bt(n,e,t){let r=a(s=>!e||n.unknown.includes(s)||n.invalid.includes(s)?null:n[s],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?t:null}}a(bt,"figuresOf");function Xr(n,e,t){let{actor:r,runtime:s}=n,o=n.policing(),i=n.isMain?void 0:s.lookup.snapshot(r.slot,r.generation),u=i===
void 0?Zr:bt(i.usage,i.startedAt!==null,i.durationMs);return{taskId:i?.taskId??null,status:e,reason:t,partial:!0,output:es(
s,i?.output??""),error:null,stats:bn(o,{...u,turns:o?.turns??null}),todos:Ie(o?.todos??""),recentMessages:[...n.messages]}}
a(Xr,"reportOf");function Qr(n,e,t,r){let s=t.call(o=>o.policing(r.slot,r.generation));return{taskId:n.taskId,status:n.status,
reason:n.stopReason,partial:n.partial,output:es(t,Xo(n,e,t,r)),error:n.error??null,stats:bn(s,n.figures),todos:Ie(s?.todos??
""),recentMessages:[...e?.messages??[]]}}a(Qr,"reportOfResult");function we(n){return Ge(n)}a(we,"reportText");function yt(n,e,t){
return{taskId:n,status:e,reason:null,partial:!1,output:"",error:t,stats:bn(void 0,Zr),todos:[],recentMessages:[]}}a(yt,"\
reportOfNone");var Zr={tokens:null,costUsd:null,turns:null,durationMs:null};function bn(n,{tokens:e,costUsd:t,turns:r,durationMs:s}){
let{contextTokens:o=null,openTodos:i=0,counts:u=[]}=n??{};return{turns:r,tokens:e,costUsd:t,durationMs:s===null?null:Math.
round(s),contextTokens:o,openTodos:i,counts:Object.fromEntries(u)}}a(bn,"stats");function Xo(n,e,t,{slot:r,generation:s}){
let{output:o}=n,i=o===""?null:Qo(n,e,t,r,s);if(i===null||i!==o)return o;let u=yn(i);return u===void 0?o:u.output||(u.recentMessages.
at(-1)??"")}a(Xo,"outputOf");function Qo(n,e,t,r,s){if(e?.report!==void 0)return e.report;if(t.isClosed||t.call(u=>u.status(
r,s))<0)return null;let{run:o,report:i}=t.lookup.snapshot(r,s);return o===n.run?i:null}a(Qo,"madeByPolicy");function yn(n){
if(n.startsWith('{"taskId":'))try{let{output:e,recentMessages:t,stats:r,status:s}=JSON.parse(n);return typeof s=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(t)?JSON.parse(n):void 0}catch{return}}a(yn,"readReport");function es(n,e){
if(e==="")return"";let t=n.write(e);return n.call(r=>r.inline(t))}a(es,"inlined");var Zo=10,ei=500,Me=class{static{a(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=void 0;stopped=!1;constructor(e,t,r){
this.runtime=e,this.actor=t,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(ze(e,ei)),this.messages.length>Zo&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,t){return Object.assign(
new kn(this,e),t)}policing(){let{slot:e,generation:t}=this.actor;return this.runtime.call(r=>r.policing(e,t))}count(e,t,r){
let{slot:s,generation:o,run:i}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(h(),s,o,i,u,t,r))}rule(e,{
answer:t,policy:r,text:s,reason:o}){if(this.runtime.isClosed)return!1;let{slot:i,generation:u,run:d}=this.actor;t==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=s),t==="finish"&&(this.report=s);let l=this.runtime.write(r),c=this.runtime.
write(r+s)-l,[f,p,m]=[rn.indexOf(e),sn.indexOf(t),v.indexOf(o)];return this.runtime.act(w=>w.rule(h(),i,u,d,f,p,m,l,c))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:t,generation:r,run:s}=this.actor,o=this.isMain?new le(()=>this.end("overdue")):
void 0;if(this.waiting+=1,o!==void 0){let i=this.runtime.isClosed?0:M(this.runtime,"approvalTimeoutMs");o.hold(!0),i!==Number.
POSITIVE_INFINITY&&o.set(h()+i)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(i=>i.awaitApproval(h(),t,
r,s));return()=>{this.waiting-=1,o?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(i=>i.approved(h(),t,r,s,!1))}}until(e){if(this.stopped)return Promise.resolve("stopped");this.pending??=new Set;
let{pending:t}=this;return new Promise(r=>{let s=a(o=>{t.delete(s),r(o)},"end");t.add(s),e.then(o=>s({value:o}),o=>s({error:o}))})}stop(){
this.stopped=!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){if(this.pending!==void 0)for(let t of[...this.pending])
t(e)}},kn=class{static{a(this,"Context")}#e;#t;#n;constructor(e,t){this.#e=e,this.#t=t}get#r(){return this.#n??=this.#e.
policing(),this.#n}get agent(){return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:t}=this.#e.actor;return this.#e.
isMain?null:this.#e.runtime.lookup.taskId(e,t)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){
return this.#r?.turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Ie(this.#r?.todos??
"")}get openTodos(){return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,t={}){let r=this.#e.
count(this.#t,e,t.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,t){return Xr(this.#e,
e,t)}};var ss={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},wn=["blockedTools",...Object.values(ss)],os=["name",...wn],ts={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},Se=class{static{a(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,t){
let r=new Map,s=new Set;for(let{policy:o,place:i}of ti(e,t)){let u=ni(o,i),d=(r.get(u)??0)+1;r.set(u,d),this.#t(o,i,d===
1?u:`${u}#${d}`);let l=Z(kt(i,"blockedTools"),Sn(o,i,"blockedTools"));for(let c of l??[])s.add(c)}this.blockedTools=[...s]}#t(e,t,r){
let s=O(t,()=>ri(e));if(s!==void 0)throw qe("a policy",s,os);if(!O(t,()=>wn.some(o=>o in e)))throw b(t,`a policy with at\
 least one of ${wn.join(", ")}`,e);for(let[o,i]of Object.entries(ss)){let u=Sn(e,t,i);if(u===void 0)continue;if(typeof u!=
"function")throw b(kt(t,i),"a function",u);let d=this.#e.get(o)??[];d.push({name:r,ask:a(l=>Reflect.apply(u,e,[l]),"ask")}),
this.#e.set(o,d)}}has(e){return this.#e.has(e)}ask(e,t,r){let s=this.#e.get(e)??[];for(let[o,i]of s.entries()){let u=ns(
i,t,r);if("later"in u)return e!=="before_spawn"?this.#n(e,t,r,o,u.later):(u.later.then(void 0,()=>{}),xn(e,t,i.name,new Error(
"it has to answer at once here, it returned a promise")));let d=rs(e,t,i.name,u);if(d!==void 0)return d}}async#n(e,t,r,s,o){
let i=this.#e.get(e)??[],u=t.wait(e);try{let d=o;for(let l=s;l<i.length;l+=1){let c=i[l],f;if(d===void 0){let m=ns(c,t,r);
f="later"in m?await t.until(m.later):m}else f=await t.until(d),d=void 0;if(f==="stopped")return;let p=rs(e,t,c.name,f===
"overdue"?{error:new Error("it took too long to answer")}:f);if(p!==void 0)return p}return}finally{u()}}};function ti(n,e){
return e===void 0?[]:D(n,"a list of policies",e,(t,r)=>({policy:fe(r,t,"a policy"),place:r}))}a(ti,"policiesOf");function kt(n,e){
return n.endsWith("`")?`${n.slice(0,-1)}.${e}\``:`\`${e}\` of ${n}`}a(kt,"within");function Sn(n,e,t){return O(kt(e,t),()=>F(
n,t))}a(Sn,"partOf");function ni(n,e){let t=Sn(n,e,"name")??"policy";return ee(P(kt(e,"name"),t))}a(ni,"nameIn");function ri(n){
let e=Object.getPrototypeOf(n),t=e===null||Object.getPrototypeOf(e)===null;return Object.keys(n).find(r=>!os.includes(r)&&
(t||/^(before|after|on)[A-Z]/.test(r)))}a(ri,"strangerIn");function ns(n,e,t){try{let r=n.ask(e.context(n.name,t));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(o=>o(r))}:{value:r}}catch(r){return{error:r}}}a(ns,"ans\
werOf");function rs(n,e,t,r){if("error"in r)return xn(n,e,t,r.error);try{return si(n,t,r.value)}catch(s){return xn(n,e,t,
s)}}a(rs,"judge");function xn(n,e,t,r){let s=`the policy ${t} failed: ${A(r)}`;if(n!=="after_tool"&&n!=="on_timeout")return{
answer:"block",policy:t,text:s,reason:"policy"};e.runtime.report(r)}a(xn,"failed");function si(n,e,t){if(t==null)return;
if(typeof t!="object")throw new Error(`it answered ${y(t)}`);let r=a(f=>F(t,f),"part"),[s,o,i,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(s==="continue")return;let l=s;if(!ts[n].includes(l))throw new Error(`it a\
nswered ${y(s)}, here it may answer ${["continue",...ts[n]].join(", ")}`);let c={inject:o,force_turn:o??"Take another tu\
rn before you end.",block:i,finish:u}[l];if(typeof c!="string")throw new Error(`it answered ${l} with ${y(c)} where a te\
xt belongs`);if(!v.includes(d))throw new Error(`it answered with the stop reason ${y(d)}`);return{answer:l,policy:e,text:ee(
P("what it says",c)),reason:d}}a(si,"read");var xe=class{static{a(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,t,r){this.runtime=e,this.sub=
new Se("`policies.subAgents`",t.subAgents),this.policies=new Se("`policies.main`",t.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new Se("`policies`",e)}openSession(e,t,r){this.mains.set(e.slot,this.newMain(e,t,{...this.
limits,...r}))}main(e){let t=this.mains.get(e.slot);if(t?.agent.actor.generation===e.generation)return t;let r=this.newMain(
e,this.policies,this.limits);return t===void 0&&this.mains.set(e.slot,r),r}newMain(e,t,r){let o={agent:new Me(this.runtime,
e,()=>o.prompt),policies:t,limits:r,prompt:""};return o}agentOf(e){return e.agent??=new Me(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,t,r){let s=e.run===0,o=s?this.main(e).policies:this.sub;if(!o.has("before_spawn"))return;let i=s?this.
main(e).agent:this.agentOf(e),u=o.ask("before_spawn",i,{task:t.text,params:r});if(u===void 0)return;i.rule("before_spawn",
u);let{answer:d,policy:l,text:c}=u;if(d==="inject"){let f=pt(t);f.contextHint=f.contextHint===void 0||f.contextHint===""?
c:`${f.contextHint}

${c}`;return}throw new g("policy_blocked",c,{policy:l,...d==="finish"&&{report:c}})}start(e,t){let r=this.agentOf(e),s=this.
sub.ask("before_start",r,{});if(s instanceof Promise){this.runtime.alone(s.then(o=>this.started(e,o,t)));return}this.decideStart(
e,s,t)}started(e,t,r){let{runtime:s}=this;if(s.isClosed||e.settled)return;let{slot:o,generation:i,run:u}=e,d=(t===void 0||
t.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,t,r),!(s.act(l=>l.approved(h(),o,i,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,t,r){let s=this.agentOf(e);t!==void 0&&s.rule("before_start",t),t?.answer==="inject"&&
s.inject(t.text),this.runtime.onceKept(()=>{this.runtime.isClosed||e.settled||((t===void 0||t.answer==="inject")&&!this.
isStopping(e)?r():this.runtime.hosts.settle(e,be()))})}isStopping(e){let{slot:t,generation:r,run:s}=e;return!this.runtime.
call(o=>o.isOpen(t,r,s))||this.runtime.lookup.snapshot(t,r).cancelRequested}async beforeTurn(e,t){e.asksForTurn=!0;try{let r=await this.
listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let i=e.rule("before_turn",r);if(r.answer==="inje\
ct")e.inject(r.text);else if(i)return is(r)}let s=await t();if(!s.go)return s;let o=e.takeInjected();return o.length===0?
s:{...s,inject:[...s.inject??[],...o]}}finally{e.asksForTurn=!1}}async mainTurn(e,t){let{runtime:r}=this;r.check();let s=this.
main(e),{agent:o,policies:i}=s,{slot:u,generation:d}=e;if(o.asksForTurn)throw new g("invalid_argument","the last beforeT\
urn has not answered yet");if(t!==void 0&&(r.act(l=>l.endMain(h(),u,d)),s.prompt=t),(o.policing()?.turns??0)===0&&i.has(
"before_start")){o.asksForTurn=!0;let l=await i.ask("before_start",o,{});if(o.asksForTurn=!1,r.check(),l!==void 0){if(o.
rule("before_start",l),l.answer!=="inject")return is(l);o.inject(l.text)}}return this.beforeTurn(o,()=>this.takeMainTurn(
s))}async takeMainTurn(e){let{agent:t,policies:r,limits:s}=e,{slot:o,generation:i}=t.actor,{maxTurns:u=An,maxContextTokens:d=An,
timeoutMs:l=An}=s,c=this.runtime.call(S=>S.beginMainTurn(h(),o,i,u,d,l));if(c===-1)throw this.runtime.refusal();if(c<0){
this.runtime.carryOut();let S=v[-2-c]??"policy";return S!=="policy"?{go:!1,reason:S}:{go:!1,reason:S,message:`the contex\
t has ${t.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:f,injects:p,wrapUp:m}=gt(c),w=p?{inject:this.runtime.
call(S=>S.takeInject())}:void 0;if(this.runtime.carryOut(),m===void 0)return{go:!0,turn:f,...w};let k=await r.ask("on_ti\
meout",t,{reason:"timeout"}),R=k===void 0?void 0:this.timeoutAnswered(t,k);return{go:!0,turn:f,wrapUp:!0,reason:"timeout",
...w,...R!==void 0&&{report:R}}}async beforeTool(e,t,r){let{runtime:s}=this,{slot:o,generation:i,run:u}=e.actor;if(s.check(),
P("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);if(!e.isMain){let f=s.write(t);if(!s.call(
p=>p.mayUse(o,i,u,f)))return this.toolRefused(e)}let d=this.listFor(e),l=d.has("before_tool")?await d.ask("before_tool",
e,{tool:t,args:r}):void 0;if(s.check(),l!==void 0){if(e.rule("before_tool",l),l.answer==="block")return{allowed:!1,reason:l.
text};if(l.answer==="finish")return{allowed:!1,reason:l.text,finished:!0}}let c=s.write(t);return s.call(f=>f.beginTool(
h(),o,i,u,c))?(s.carryOut(),l===void 0?{allowed:!0}:{allowed:!0,inject:[l.text]}):this.toolRefused(e)}toolRefused(e){let{
code:t,message:r}=this.runtime.refusal();return t==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,t,r){let{runtime:s}=this,{slot:o,generation:i,run:u}=e.
actor;if(s.check(),P("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);let l=!e.isMain&&s.call(
m=>m.endTool(h(),o,i,u))?s.call(m=>m.takeInject()):[];s.carryOut();let c=this.listFor(e),f=c.has("after_tool")?await c.ask(
"after_tool",e,{tool:t,result:r}):void 0;f!==void 0&&(s.check(),e.rule("after_tool",f),f.answer==="inject"&&l.push(f.text));
let p=l.length===0?{}:{inject:l};return f?.answer==="block"?{withheld:!0,reason:f.text,...p}:f?.answer==="finish"?{withheld:!1,
finished:!0,...p}:{withheld:!1,...p}}async beforeEnd(e,t){let{runtime:r}=this;r.check(),P("`output`",t);let s=this.listFor(
e),o=s.has("before_end")?await s.ask("before_end",e,{output:t}):void 0;if(r.check(),o!==void 0&&(e.rule("before_end",o),
o.answer==="inject"||o.answer==="force_turn"))return{end:!1,inject:[o.text]};let{slot:i,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(h(),i,u)),o===void 0?{end:!0,output:t}:o.answer==="finish"?{end:!0,output:o.text}:{end:!0,output:"",reason:o.
text}}timedOut(e,t){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),s=this.sub.ask("on_timeout",r,{reason:t}),
o=a(i=>{i!==void 0&&this.timeoutAnswered(r,{...i,reason:t})},"answered");s instanceof Promise?this.runtime.alone(s.then(
o)):o(s)}timeoutAnswered(e,t){if(e.rule("on_timeout",t),t.answer==="finish")return t.text;e.inject(t.text)}},An=Number.POSITIVE_INFINITY;
function is({answer:n,text:e,reason:t}){return n==="finish"?{go:!1,reason:t,report:e}:{go:!1,reason:t,message:e}}a(is,"r\
efusedTurn");function oi(n){return O("a notice",()=>{let{origin:e,text:t,deliveryId:r}=fe("a notice",n);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:t,deliveryId:r}})}a(oi,"toBusMessage");function as(n,e,t){return({inbox:r})=>{
let s=r.lease();s.length!==0&&t(()=>{for(let o of s)a(async()=>{await n.publish(oi(o)),r.ack(o.deliveryId)},"taken")().catch(
e)})}}a(as,"publisher");function us(n){let e=typeof n=="object"&&n!==null?n.publish:void 0;if(typeof e!="function")throw b(
"`bus`","an object with a function `publish`",n);return{publish:a(t=>e.call(n,t),"publish")}}a(us,"busOf");function wt(n){return O("a task",()=>{let{label:e,taskId:t}=fe("a task",n);return`Subagent [${I(e,re)}] started (id: ${I(
t)}). I'll notify you when it completes.`})}a(wt,"startedText");function vn(n){let{process:e,Deno:t,reportError:r,console:s}=globalThis;try{e===void 0&&t===void 0&&typeof r=="function"?
r(n):s?.error(n)}catch{}}a(vn,"logError");function On(n,e,t){try{let r=n(t);ii(r)&&new Promise(s=>s(r)).catch(e)}catch(r){
e(r)}}a(On,"notify");function ii(n){return typeof n=="object"&&n!==null&&typeof n.then=="function"}a(ii,"isThenable");function ve(n){return typeof WeakRef>"u"?{deref:a(()=>n,"deref")}:new WeakRef(n)}a(ve,"weakly");var Ae=class{static{a(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,t){
this.registry?.register(e,t,e)}unwatch(e){this.registry?.unregister(e)}};var St=class{static{a(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},Fe=[],ds=[],Tn,ie;function ls(n,e,t){let r=ds.pop()??Fe.length;return Fe[r]=ve(e),Tn??=new Ae(({host:s,alarm:o})=>{
o.stop(),cs(s)}),Tn.watch(n,{host:r,alarm:t}),r}a(ls,"attach");function Rn(n){Tn?.unwatch(n),n.door.shut(),cs(n.host)}a(
Rn,"release");function cs(n){Fe[n]!==void 0&&(Fe[n]=void 0,ds.push(n))}a(cs,"detach");function W(n){let e=ie;return ie=n,
Vt(!0),e}a(W,"enter");function G(n){ie=n,n===void 0&&Vt(!1)}a(G,"leave");function fs(){return ie!==void 0}a(fs,"isInside");
function j(n){return ie!==void 0&&ie.host===n?ie:Fe[n]?.deref()?.runtime}a(j,"find");function Al(n,e,t,r,s){j(n)?.runs.startRun(
e,t,r,s)}a(Al,"startRun");function vl(n,e,t,r,s){j(n)?.runs.runRetried(e,t,r,s)}a(vl,"runRetried");function Ol(n,e,t,r,s){
j(n)?.runs.abortRun(e,t,r,s)}a(Ol,"abortRun");function Tl(n,e,t,r){j(n)?.runs.turnReady(e,t,r)}a(Tl,"turnReady");function Rl(n,e,t){
let r=j(n);r?.sessionData.taskForgotten(e,t),r?.contexts.taskForgotten(e,t),r?.signals.taskGone(e,t)}a(Rl,"taskForgotten");
function jl(n,e,t){j(n)?.signals.taskGone(e,t)}a(jl,"taskClosed");function Il(n,e,t){j(n)?.wakes.mark(e)}a(Il,"wakeSessi\
on");function Pl(n,e,t,r,s){j(n)?.runs.policiesDue(e,t,r,s)}a(Pl,"policiesDue");function El(n,e){j(n)?.startsStopped(e)}
a(El,"startsStopped");function _l(n,e){j(n)?.wakeAt(e)}a(_l,"wakeAt");function Cl(n,e,t,r,s,o,i){j(n)?.runs.askDone(e,t,
r,s,o,i)}a(Cl,"askDone");function Nl(n,e,t,r){j(n)?.waits.done(e,t,r)}a(Nl,"waitDone");function $l(n,e,t,r,s,o,i,u,d,l,c,f,p,m,w){
let{runs:k}=j(n)??{};k?.runEnded(e,t,r,s,o,i,u,d,l,c,f,p,m,w)}a($l,"runEnded");function Ml(n,e,t,r){j(n)?.listeners.facts(
e,t,r)}a(Ml,"facts");function Fl(n,e){let t=j(n);return t===void 0||t.consumerGate(e)}a(Fl,"consumerGate");function Kl(n,e){
return j(n)?.makeTool(e)}a(Kl,"makeTool");var Dl=0,ps=1,Ll=2;var xt=class{static{a(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,t){this.runtime=e,
this.scratch=t}get listening(){return this.reader!==void 0}subscribe(e,t){this.runtime.check();let r=this.runtime.call(o=>o.
factCount());this.listeners.size===0&&(this.runtime.journal?.gather(!1),this.reader=t(this.runtime,this.scratch,r),this.
runtime.runs.keepOutputs(this.runtime.journal===void 0),this.runtime.call(o=>o.listen(!0)));let s={listener:te(e),since:r};
return this.listeners.add(s),()=>{this.listeners.delete(s),this.listeners.size===0&&!this.runtime.isClosed&&(this.reader=
void 0,this.runtime.runs.keepOutputs(!1),this.runtime.journal===void 0?this.runtime.call(o=>o.listen(!1)):this.runtime.journal.
gather(!0))}}facts(e,t,r){let{journal:s}=this.runtime;if(s===void 0)this.hand(this.reader?.read(e,t,r));else if(t===0)s.
expect();else{let o=s.take(this.scratch.copy(e,t));s.isSync||this.tell(o)}}tell(e){this.hand(this.reader?.readKept(e))}hand(e=[]){
for(let t of e)for(let{listener:r,since:s}of this.listeners)t.seq>s&&this.runtime.tell(r,t)}clear(){this.listeners.clear(),
this.reader=void 0}};var ai=200,ui=["disposed","internal","store_failed"],At=class{static{a(this,"Refusals")}listeners=new Set;runtime;constructor(e){
this.runtime=e}listen(e){let t={listener:te(e)};return this.listeners.add(t),()=>{this.listeners.delete(t)}}tell(e,t,r,s){
let{runtime:o}=this;if(this.listeners.size===0||o.isClosed||!(s instanceof g)||ui.includes(s.code))return;let{slot:i,generation:u,
run:d}=t,l={seq:o.call(c=>c.factCount()),at:h(),operation:e,code:s.code,message:s.message,by:d===0?null:o.lookup.taskId(
i,u),sessionKey:o.lookup.sessionKey(i,u),label:r===null?null:Ze(r,ai)};for(let{listener:c}of this.listeners)o.tell(c,l)}clear(){
this.listeners.clear()}};var Ke={slot:0,generation:0,run:0},ms=4294967296;function ae(n){return n>>>0}a(ae,"slotOf");function jn(n){return Math.floor(
n/ms)}a(jn,"generationOf");function J(n){return{slot:ae(n),generation:jn(n)}}a(J,"keyOf");function De({slot:n,generation:e}){
return e*ms+n}a(De,"packed");var Pn=class{static{a(this,"Followed")}#e;#t=new Set;constructor(e){this.#e=e}#n=a(()=>{let e=[...this.#t];for(let t of e)
this.leave(t);for(let t of e)t.deref()?.fire()},"#fire");join(e){this.#t.add(e),this.#t.size===1&&this.#e.addEventListener(
"abort",this.#n,{once:!0})}leave(e){!this.#t.delete(e)||this.#t.size>0||(vt.get(this.#e)===this&&vt.delete(this.#e),this.#e.
removeEventListener("abort",this.#n))}},vt=new WeakMap,In;function di(n){n()}a(di,"call");function hs(n,e){let t=vt.get(
n);t===void 0&&(t=new Pn(n),vt.set(n,t));let r=t;return r.join(e),()=>r.leave(e)}a(hs,"join");function En(n,e){let t={fire:e};
return hs(n,{deref:a(()=>t,"deref")})}a(En,"follow");var Ot=class{static{a(this,"Signals")}#e=new Map;#t=new Map;follow(e,t){
let r={fire:t},s=hs(e,ve(r)),o=a(()=>{this.#e.delete(o),In?.unwatch(r),s()},"end");return this.#e.set(o,r),In??=new Ae(di),
In.watch(r,s),o}keepIdle(e,t){let{runtime:r,slot:s,generation:o}=e,i=this.follow(t,()=>bs(e));e.unfollow?.(),e.unfollow=
i,r.call(d=>d.tellForgotten()),this.#t.set(s,e);let u=r.call(d=>d.status(s,o));(u<0||Y[u]==="closed")&&this.taskGone(s,o)}taskGone(e,t){
if(this.#t.size===0)return;let r=this.#t.get(e);r?.generation===t&&(this.#t.delete(e),r.unfollow?.())}clear(){for(let e of[
...this.#e.keys()])e();for(let e of this.#t.values())e.unfollow?.();this.#t.clear()}};function gs(n,e){let t=En(e,()=>{n.
slot===0?n.abortedEarly=!0:bs(n)});n.unfollow=()=>{n.unfollow=void 0,t()}}a(gs,"followSignal");function bs(n){let{runtime:e}=n;
if(!e.isClosed)try{e.waits.cancel(Ke,n.slot,n.generation,"signal_aborted").catch(()=>{})}catch{}}a(bs,"cancelLive");function ks(n,e,t,r){try{return li(n,e,t,r)}catch(s){throw n.refusals.tell("spawn",e,t.staged?.label??t.text??null,s),s}}
a(ks,"spawn");function li(n,e,t,r){n.check(),ys(n,e,t);let s=pi(t,r);if(n.seeded||gi(n),n.functions.checkConsumerSpawn!==
void 0){let k=_n(n,s);if(k!==!0)throw new g("spawn_denied",k||"the host refused this spawn",{reason:k||null});n.check()}
n.gates.beforeSpawn(e,t,s),n.check(),ys(n,e,t);let{staged:o,text:i}=t;i!==void 0&&!t.manual&&mi(n,t.background);let u=new z(
n,s,t.asked);if(u.background=t.background,u.text=i,u.format=o?.json===!0?"json":"text",u.check=t.schema,t.watch!==void 0&&
(u.watch=t.watch),t.signal!==void 0&&(gs(u,t.signal),u.abortedEarly))throw ws(t.signal);if(o!==void 0&&!n.call(k=>k.stage(
o)))throw u.unfollow?.(),n.refusal();let d=i===void 0?0:n.write(i),l=o?.idempotencyKey===void 0?0:64,c=(t.background?1:0)|
(i===void 0?2:0)|(o===void 0?0:4)|(t.manual?8:0)|t.answers|l,f=W(n),p;try{p=n.core.begin(h(),e.slot,e.generation,e.run,c,
d,t.tokens,t.cost,t.turns)}catch(k){throw n.poison(k)}finally{G(f)}if(p===-1)throw u.unfollow?.(),n.refusal();let m=p<0?
fi(n,u,t,J(-2-p)):ci(n,u,t,p),w=n.contexts.enter(p<0?0:u.slot);return n.carryOut(),n.contexts.leave(w),n.expectSound(),n.
hosts.keepAwake(),m}a(li,"begin");function ci(n,e,{text:t,manual:r,schema:s,signal:o},i){return e.slot=ae(i),e.generation=
jn(i),s!==void 0&&n.sessionData.check(e.slot,e.generation,s),n.contexts.keep(e.slot,e.generation),t===void 0?o!==void 0&&
n.signals.keepIdle(e,o):r||(e.run=1,n.runs.keep(e)),e}a(ci,"admitted");function fi(n,e,t,r){return e.unfollow?.(),t.repeated=
!0,hi(n,r)}a(fi,"repeated");function ys(n,{slot:e,generation:t,run:r},{signal:s,background:o}){if(s?.aborted===!0)throw ws(
s);r!==0&&n.ask(i=>i.mayStart(e,t,r,o))}a(ys,"expectNotStopped");function ws(n){return new g("aborted","the signal of th\
is spawn has fired already, so nothing was started",{},{cause:n.reason})}a(ws,"firedAlready");function pi({renamed:n,text:e},t){
return n?O("the options of spawn",()=>({...t,instructions:e})):t}a(pi,"paramsOf");function mi({functions:n},e){if(n.spawnSubAgent!==
void 0||e&&n.spawnBackgroundSubAgent!==void 0)return;let t="spawnSubAgent";throw new g("invalid_argument","the manager w\
as made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:t})}a(mi,"checkHost");function hi(n,{slot:e,generation:t}){
let r=n.runs.liveOf(e,t);if(r!==void 0)return r;let s=new z(n,void 0);return s.slot=e,s.generation=t,s.run=n.call(o=>o.lastRun(
e,t)),s}a(hi,"lastRunOf");function _n(n,e){let t=n.functions.checkConsumerSpawn;if(t===void 0)return!0;try{let r=t(e);if(typeof r!=
"object"||r===null)return`checkConsumerSpawn must return { allowed }, it returned ${y(r)}`;let{allowed:s,reason:o}=r,[i,
u]=[X(r,"allowed",s),X(r,"reason",o)];return i===!0?!0:i===!1?typeof u=="string"&&u!==""?u:!1:typeof r.then=="function"?
(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at once, it returned a promise"):`checkConsumerSpawn must return \
{ allowed: boolean }, allowed is ${y(i)}`}catch(r){return`checkConsumerSpawn failed: ${A(r)}`}}a(_n,"consumerGate");function gi(n){
n.order(e=>e.seed(h())),n.seeded=!0}a(gi,"seed");var bi=0x7375626167656e74n,yi=32n,As=a(n=>BigInt.asUintN(64,n),"low64"),Ss=a((n,e)=>As(n<<e|n>>64n-e),"rotated");function xs(n,e,t){
let r=As(Ss(n,56n)+e)^t;return[r,Ss(e,3n)^r]}a(xs,"mix");function vs([n=0n,e=0n],t,r){let[s,o]=[n,e],[i,u]=[bi,BigInt(r)<<
32n|BigInt(t)];for(let d=0n;d<yi;d+=1n)[i,u]=xs(i,u,o),[s,o]=xs(s,o,d);return`sub_${[i,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}a(vs,"taskIdOf");var Tt=class{static{a(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,t){if(this.runtime.
check(),typeof t!="string")throw b("a target","an id or a handle",t);let r=this.runtime.write(Yt(t)?t.slice(0,160):""),{
slot:s,generation:o,run:i}=e,u=this.runtime.call(d=>d.find(s,o,i,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let l=new g(d.code,`${d.message}: ${y(t)}`,{...d.details,taskId:t});throw Je(l,`${He(d)}: ${y(
t)}`)}return J(u)}nameOf(e,{nickname:t,taskId:r}){if(t===null)return r;let s=this.runtime.write(t),o=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,s));if(o<0)return r;let{slot:i,generation:u}=J(o);return this.taskId(i,u)===r?t:r}taskId(e,t){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(s=>s.taskId(e,t)):vs(r,e,t)}snapshot(e,t){let r=this.runtime.
call(s=>s.get(e,t,h()));if(r===void 0)throw this.runtime.refusal();return Rt(r)}about(e,t){let r=this.runtime.call(u=>u.
get(e,t,h()));if(r===void 0)return;let{label:s,parentId:o,metadata:i}=Rt({...r,artifacts:null,value:null});return{label:s,
parentId:o,metadata:i,sessionKey:this.sessionKey(e,t)}}label(e,t){return this.runtime.call(r=>r.label(e,t))??null}sessionKey(e,t){
return this.runtime.call(r=>r.sessionKey(e,t))??null}brief(e,t){let r=this.runtime.call(f=>f.brief(e,t));if(r===void 0)throw this.
runtime.refusal();let[s,o,i="",u,d=gn,l,c]=r;return{depth:s,label:o,contextHint:i,systemPrompt:u,profile:d,modelId:l,sourceAgentId:c}}openSession(e){
this.runtime.check();let t=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?this.runtime.call(i=>i.registerSession(
h(),t)):-1,s=r>=0?r:this.runtime.call(i=>i.openSession(h(),t));if(s<0)throw this.runtime.refusal();this.runtime.carryOut();
let o={...J(s),run:0};return this.sessions.set(o.slot,o.generation),o}eventId(e,t){return this.sessions.get(e)===t?null:
this.runtime.call(r=>r.eventId(e,t))??null}};function Rt(n){let{artifacts:e,value:t,metadata:r}=n;return{...n,artifacts:e===
null?[]:JSON.parse(e),value:t===null?null:JSON.parse(t),metadata:Pr(r)}}a(Rt,"parseArtifacts");var Os=64,jt=class{static{a(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=Os;runtime;constructor(e){
this.runtime=e}start(e,t){this.sweep(),this.list(e);let r;try{r=t(e.params(),e.handedRun())}catch(o){throw this.unlist(e),
o}let s=new Promise(o=>o(r));if(!this.isListed(e)){s.catch(()=>{});return}this.runtime.act(o=>o.startedElsewhere(h(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(s.then(o=>this.started(e,o),o=>this.end(e,st(A(o),o))))}started(e,t){
let r=ki(t);if(typeof r!="string"||r===""){this.end(e,rt(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${y(t)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let s=this.runtime.write(r);this.runtime.act(i=>i.nameElsewhere(h(),e.slot,e.generation,
e.run,s));let o=this.early.get(r);this.early.delete(r),o!==void 0?this.end(e,ge(o)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let t of e)this.runtime.report(
this.unknown(t))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,t){if(typeof e!=
"string"||e==="")throw b("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new g("i\
nvalid_argument",`several sub-agents go by the host id ${y(e)}: report by task id`,{id:e});let[s]=r;if(s!==void 0){this.
end(s,ge(t));return}let o=this.endedBy(e);if(o!==void 0){let i=Object.assign(new z(this.runtime,void 0),o);this.runtime.
hosts.settle(i,ge(t));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,t)}livesOf(e){let t=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||t.includes(r)?t:[...t,r]}endedBy(e){let t=this.ended.get(
e)??this.ended.get(this.placeOf(e));return t!==void 0&&this.isKept(t)?t:void 0}placeOf(e){let t=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(i=>i.find(0,0,0,t));if(r<0)return r;let{slot:s,generation:o}=J(r);return this.runtime.lookup.
taskId(s,o)===e?r:-2}isKept({slot:e,generation:t}){return this.runtime.call(r=>r.lastRun(e,t))>0}unknown(e){if(this.placeOf(
e)===-1){let t=this.runtime.refusal();if(t.code==="forgotten")return t}return new g("unknown_task",`no background sub-ag\
ent goes by ${y(e)}`,{id:e})}list(e){let t=De(e),r=this.lives.get(t);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(t,e)}isListed(e){return this.lives.get(De(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(De(
e));let{hostTaskId:t}=e;if(t!==void 0){let r=this.named.get(t);r?.delete(e),r?.size===0&&this.named.delete(t)}return!0}keepEnded({
slot:e,generation:t,run:r,hostTaskId:s}){let o={slot:e,generation:t,run:r};this.ended.set(De(o),o),s!==void 0&&this.ended.
set(s,o)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(t=>t.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,t]of this.ended)this.isKept(t)||this.ended.delete(e);this.sweepAt=Math.max(
Os,(this.lives.size+this.ended.size)*2)}}end(e,t){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
s={...t,hostTaskId:t.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,s):this.runtime.hosts.settleChecked(
e,s,r)}};function ki(n){try{return n?.taskId}catch{return}}a(ki,"hostId");var It=class{static{a(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,t,r){this.runtime=e,this.
scratch=t,this.alarm=r,this.elsewhere=new jt(e)}start(e){try{let{spawnSubAgent:t,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(t===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let s=t(e.params(),e.handedRun());(wi(s)?
s:new Promise(i=>i(s))).then(i=>this.hostReturned(e,i),i=>this.hostThrew(e,i))}catch(t){this.hostThrew(e,t)}}settle(e,t){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=t;let r=W(this.
runtime);try{let{output:s,error:o,status:i,id:u,artifacts:d,value:l}=this.scratch.writeEnd(this.bounded(t));this.runtime.
core.settle(h(),e.slot,e.generation,e.run,t.how,s,o,i,u,d,l,t.tokens,t.cost,t.turns,t.durationMs)}catch(s){this.runtime.
poison(s)}finally{G(r)}for(let s of e.overWith??[])s();this.runtime.carryOut(),this.keepAwake()}settleManual(e,t,r){this.
runtime.check();let{output:s,error:o,artifacts:i}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(
d=>d.settle(h(),e,t,0,r.how,s,o,4294967295,4294967295,i,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.
refusal();this.runtime.runs.manualEnded(e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:t}=e;
return t.length<=C?e:{...e,output:t.slice(0,Math.max(C,M(this.runtime,"maxResultBytes")+1))}}hostReturned(e,t){let r=ge(
t),{check:s}=e;s===void 0||this.runtime.isClosed?this.settle(e,r):this.settleChecked(e,r,s)}settleChecked(e,t,r){let s=br(
t,r,M(this.runtime,"maxResultBytes"));s instanceof Promise?this.runtime.alone(s.then(o=>this.settle(e,o))):this.settle(e,
s)}hostThrew(e,t){Te(t);let r=A(t);this.settle(e,st(r,t))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&
(this.release(e),this.keepAwake())}release(e){e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>
0||this.runtime.isClosed)return;let e=this.runtime.unasked(t=>t.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.
hasQueued(e),this.alarm.hold(e||this.runtime.waits.areOpen))}};function wi(n){return n instanceof Promise&&n.constructor===
Promise&&n.then===Promise.prototype.then}a(wi,"isPlainPromise");var Pt=class{static{a(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,t){this.alarm=e,this.manager=t}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var Et=class{static{a(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let t=M(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:s})=>this.pin(r,s,t))}pin(e,t,r){let s=this.runtime.call(
u=>u.lastRun(e,t)),o={slot:e,generation:t,run:s,taskId:this.runtime.lookup.taskId(e,t)};if(!this.runtime.call(u=>u.isOpen(
e,t,s)))return o.ended=this.read(o),o;r&&(o.begun=this.read(o));let i=this.open.get(e);return i===void 0?this.open.set(e,
[o]):i.push(o),o}hold(e){return this.open.has(e)}ended(e,t,r,s){if(this.open.size===0)return;let o=this.open.get(e);if(o!==
void 0)for(let i of o)i.run===r&&i.generation===t&&(i.ended=this.asEnded(i,s))}retried(e,t,r){for(let s of this.open.get(
e)??[])s.run===r&&s.generation===t&&(s.run+=1)}asEnded(e,t){let r=this.read(e);if(r?.run===e.run)return r;let s=e.begun??
r;return s&&this.kept(e,{...s,...xi(e,t)})}unpin(e){for(let t of e){let r=this.open.get(t.slot)?.filter(s=>s!==t);r!==void 0&&
(r.length===0?this.open.delete(t.slot):this.open.set(t.slot,r))}}told(e,t,r){let s=this.read(e);if(t===ps)return{told:t,
view:r||s?.run===e.run?s??e.ended:e.ended??s};let o=typeof t=="string"?t:null,i=s!==void 0&&(s.status==="running"||s.status===
"pending")&&(r||s.run===e.run);return s===void 0||i&&(o===null||s.question===o)?{told:t,view:s}:{told:t,view:this.kept(e,
{...s,...Si,run:e.run,question:o})}}read(e){let{slot:t,generation:r}=e,s=this.runtime.call(o=>o.get(t,r,h()));return s&&
this.kept(e,Rt(s))}kept(e,t){return this.places.set(t,e),t}placeOf(e){return this.places.get(e)}},Si={status:"running",stopReason:null,
output:"",error:null,endedAt:null,durationMs:null,partial:!1,truncated:!1,artifacts:[]};function xi({run:n,begun:e},t){let{
status:r,stopReason:s,output:o,partial:i,truncated:u,hostStillRunning:d,durationMs:l,usage:c}=t,{error:f=null,hostStatus:p=null,
hostTaskId:m=null,artifacts:w,value:k=null}=t,R={status:r,stopReason:s,output:o,partial:i,truncated:u,hostStillRunning:d,
durationMs:l,usage:c,error:f,hostStatus:p,hostTaskId:m},S=Math.floor(h()),x=t.started?e?.startedAt??S-l:null;return{run:n,
...R,startedAt:x,endedAt:S,updatedAt:S,parked:null,question:null,turns:c.turns,artifacts:[...w],value:k}}a(xi,"endOf");function Ts(n,{slot:e,generation:t},r,s){let{status:o,stopReason:i,output:u,error:d,hostStatus:l,figures:c}=s,f=n.writeAll(
[u,d??void 0,l??void 0]),[p,m,w]=f;return n.call(k=>k.resultText(e,t,r,Y.indexOf(o),v.indexOf(i),c.turns??-1,c.costUsd??
-1,c.durationMs??-1,p,m,w))}a(Ts,"endText");var Ai=Object.freeze([]),vi=Object.freeze([]);function Rs(n){if((n&7)===0)return Ai;let e=[];return(n&1)!==0&&e.push("to\
kens"),(n&2)!==0&&e.push("costUsd"),(n&4)!==0&&e.push("turns"),e}a(Rs,"dimensions");var ue=class n{static{a(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#t;constructor(e,t,r,s,o,i,u,d,l,c,f,p,m,w,k){
this.#e=e,this.#t=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=t,this.stopReason=r,this.output=
s,this.partial=f,this.truncated=p,this.error=o?.error,this.cause=o?.cause,this.hostStatus=o?.hostStatus,this.hostTaskId=
o?.hostTaskId??this.#t?.hostTaskId,this.hostStillRunning=m,this.artifacts=o?.artifacts??vi,this.value=o?.valueJson===void 0?
void 0:o.value,this.usage={tokens:i,costUsd:u/1e9,turns:d,unknown:Rs(l),invalid:Rs(l>>>8)},this.durationMs=c,this.started=
w,this.raisedBy=k}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return Qr(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?we(this.report):
Ts(e.runtime,e,this.run,this.#n)}get#n(){let{status:e,stopReason:t,output:r,error:s,hostStatus:o}=this;return{status:e,stopReason:t,
output:r,error:s,hostStatus:o,figures:this.figures}}get figures(){return bt(this.usage,this.started,this.durationMs)}get#r(){
return this.#t}toJSON(){let{cause:e,...t}=this;return{taskId:this.taskId,success:this.success,...t}}static movedToBackground(e){
let{runtime:t,slot:r,generation:s}=e;if(!t.call(i=>i.isOpen(r,s,e.run)))return;let o=t.lookup.snapshot(r,s);return o.background&&
!o.cancelRequested?n.of({...o,output:wt(o)},e):void 0}static of(e,t){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:s,
slot:o,generation:i}=t,u=s.call(c=>c.lastEnd(o)),d=s.call(c=>c.raisedBy(o,i))??null,l=new n(e.taskId,Y[u%256],v[u>>>8],e.
output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null,d);return l.#t=t,Object.assign(l,{run:e.run,usage:e.usage})}};var Oi=["timeout","stopped"];function js(n,e,t){let{asking:r}=n;n.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:t}:{answered:!1,reason:Oi[e-1]??"stopped"})}a(js,"askDone");function Cn(n,e,t){let r=n.call(i=>i.question(e,t)),s=n.
lookup.taskId(e,t),o=`the sub-agent ${s} asks and waits for a message`;return new g("needs_input",r===void 0?o:`${o}: '${I(
r,Be)}'`,{taskId:s,question:r??null})}a(Cn,"needsInput");var Ti=1,$n=2,Ri=4,Is=8,ji=16;function Nn(n,e,t){return`${n} ${e} ${t}`}a(Nn,"nameOf");var _t=class{static{a(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;outputs=void 0;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,t,r,s){
if(this.runtime.isClosed)return;let o=this.find(e,t,r)??this.newLive(e,t,r);if(this.lives[e]!==o&&!this.runtime.call(i=>i.
isOpen(e,t,r))){this.runtime.hosts.settle(o,be());return}this.keep(o),o.knowsTools=s,o.text??=this.runtime.call(i=>i.message(
e)),this.runtime.contexts.run(e,t,()=>this.start(o))}newLive(e,t,r){let s=new z(this.runtime,void 0);return s.slot=e,s.generation=
t,s.run=r,s}start(e){let{gates:t,hosts:r}=this.runtime;t.sub.has("before_start")?t.start(e,()=>r.start(e)):r.start(e)}find(e,t,r){
let s=this.lives[e];return s?.run===r&&s.generation===t?s:void 0}findOpen(e,t,r){return this.find(e,t,r)??this.endedOpen.
get(Nn(e,t,r))}runEnded(e,t,r,s,o,i,u,d,l,c,f,p,m,w){let{pins:k,scratch:R}=this.runtime,S=w===0?null:R.read(m,w),x=this.
find(e,t,r);if(x?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),x===void 0){if(!k.hold(e))return;let Ue=this.manualEnds.
get(e);this.manualEnds.delete(e);let Js=(i&Is)!==0?R.read(f,p):Ue?.output??"";k.ended(e,t,r,Ps("",s,o,i,Js,Ue,u,d,l,c,S));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(i&$n)!==0&&!x.settled&&(this.endedOpen.set(Nn(e,t,r),x),this.runtime.
hosts.goOnWithout(x)),x.unfollow?.(),x.agent?.stop(),!x.settled&&!x.hostOpen&&x.abort(v[o]??"never_reported");let U=(i&$n)===
0?x.returned??Ii(x.before):void 0,Ut=(i&Is)!==0?R.read(f,p):U?.output??"";v[o]==="policy"&&(U={...U??be(),...this.madeByPolicy(
x)}),x.result=Ps(x,s,o,i,Ut,U,u,d,l,c,S),k.ended(e,t,r,x.result),this.outputs!==void 0&&(this.outputs[e]=x);for(let{resolve:Ue}of x.
followers??[])Ue(x.result);x.named?.resolve();let Oe=x.turn;Oe!==void 0&&(x.turn=void 0,Oe.resolve({go:!1,reason:v[o]??"\
host_failed"}))}keepOutputs(e){this.outputs=e?[]:void 0}textOf(e,t){return this.find(e,t,1)?.text}outputOf(e,t,r){let s=this.
outputs?.[e];if(!(this.outputs===void 0||s?.run!==r||s.generation!==t))return this.outputs[e]=void 0,s.result?.output}manualEnded(e,t){
this.runtime.pins.hold(e)&&this.manualEnds.set(e,t)}runRetried(e,t,r,s){let{pins:o,sessionData:i,hosts:u}=this.runtime;i.
empty(e,t),o.retried(e,t,r),u.keepAwake();let d=this.find(e,t,r);if(d===void 0)return;d.agent?.stop();let l=v[s]??"host_\
failed";d.turn?.resolve({go:!1,reason:l}),d.turn=void 0,this.lives[e]=d.again(l)}madeByPolicy({slot:e,generation:t,agent:r}){
if(this.runtime.call(i=>i.status(e,t))<0){let i=r?.blockedBecause;return{error:i&&Ze(i,M(this.runtime,"maxResultBytes")),
artifacts:void 0}}let{error:s,artifacts:o}=this.runtime.lookup.snapshot(e,t);return{error:s??void 0,artifacts:o}}abortRun(e,t,r,s){
let o=this.findOpen(e,t,r);o!==void 0&&(o.agent?.stop(),this.runtime.contexts.run(e,t,()=>o.abort(v[s]??"cancelled")))}policiesDue(e,t,r,s){
let o=this.findOpen(e,t,r);if(o===void 0)return;let i=v[s];i==="timeout"||i==="idle_timeout"?this.runtime.contexts.run(e,
t,()=>this.runtime.gates.timedOut(o,i)):o.agent?.overdue()}askDone(e,t,r,s,o,i){let u=this.find(e,t,r);u!==void 0&&js(u,
s,this.runtime.scratch.read(o,i))}turnReady(e,t,r){let s=this.find(e,t,r);if(s===void 0)return;let o=s.takeStart();if(o!==
void 0){this.runtime.contexts.run(e,t,o);return}let{turn:i}=s;if(i===void 0)return;let u=this.beginTurn(s,i.estimate);u!==
void 0&&(s.turn=void 0,i.resolve(u))}liveOf(e,t){let r=this.lives[e];if(r!==void 0&&r.generation===t)return r;let s=this.
runtime.call(i=>i.lastRun(e,t));if(s===0||!this.runtime.call(i=>i.isOpen(e,t,s)))return;let o=this.newLive(e,t,s);return this.
keep(o),o}takeTurn(e,t){let r=this.beginTurn(e,t),s=r===void 0?new Promise((o,i)=>{e.turn={estimate:t,resolve:o,reject:i}}):
Promise.resolve(r);return this.runtime.carryOut(),s}beginTurn({slot:e,generation:t,run:r},{tokens:s,cost:o}){let i=this.
runtime.call(p=>p.beginTurn(h(),e,t,r,s,o));if(i===0)return;if(i===-1)return{go:!1,reason:"actor_ended"};if(i<0)return{go:!1,
reason:v[-2-i]??"cancelled"};let{turn:u,injects:d,wrapUp:l}=gt(i),c=d?{inject:this.runtime.call(p=>p.takeInject())}:void 0;
if(l===void 0)return{go:!0,turn:u,...c};let f=this.runtime.call(p=>({tokens:p.heldTokens(e),costUsd:p.heldDollars(e)}));
return{go:!0,turn:u,wrapUp:!0,reason:l,...f,...c}}returned({slot:e,generation:t,run:r}){this.endedOpen.size>0&&this.endedOpen.
delete(Nn(e,t,r))}batchOver(){this.endedOpen.clear()}close(e){for(let t of this.lives)if(t!==void 0){t.turn?.reject(e),t.
turn=void 0,t.asking?.reject(e),t.asking=void 0;for(let{reject:r}of t.followers??[])r(e);t.named?.resolve(),t.unfollow?.(),
t.agent?.stop(),t.abort(e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}this.lives.length=0,
this.manualEnds.clear()}};function Ii(n){return n&&{...be(),error:n.error,cause:n.cause}}a(Ii,"errorOf");function Ps(n,e,t,r,s,o,i,u,d,l,c){
return new ue(n,Y[e]??"failed",v[t]??"host_failed",s,o,i,u,d,r>>>8,l,(r&Ti)!==0,(r&Ri)!==0,(r&$n)!==0,(r&ji)===0,c)}a(Ps,
"resultOf");var Ct=class{static{a(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,t){return this.keptOf(
e,t).values}empty(e,t){let r=this.kept.get(e);r?.generation===t&&r.values.clear()}check(e,t,r){this.keptOf(e,t).check=r}checkOf(e,t){
if(this.kept.size===0)return;let r=this.kept.get(e);return r?.generation===t?r.check:void 0}keptOf(e,t){let r=this.kept.
get(e);if(r?.generation===t)return r;if(this.runtime.call(o=>o.status(e,t))<0)throw new g("forgotten","this sub-agent ha\
s been forgotten");this.runtime.call(o=>o.tellForgotten());let s={generation:t,values:new Map};return this.kept.set(e,s),
s}taskForgotten(e,t){this.kept.size>0&&this.kept.get(e)?.generation===t&&this.kept.delete(e)}clear(){this.kept.clear()}};function Es(n){let e=n.call(r=>r.claimed()),t=[];for(let r=0;r<e.length;r+=3){let[s,o,i]=e.subarray(r,r+3),u=n.call(d=>d.
deliveryId(s,o,i));t.push({deliveryId:u,taskId:n.lookup.taskId(s,o),run:i})}return t}a(Es,"claimedEnds");var _s=-2,Pi=-3,Cs=-4,Ei="only the waiting was aborted: what was to be stopped is being stopped all the same",Nt=class{static{
a(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,t,r,s){this.runtime.check();let{slot:o,generation:i}=t,u=this.runtime.
runs.liveOf(o,i),d=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening,l=d?0:h(),c=W(this.runtime),
f;try{f=this.runtime.core.wait(l,e.slot,e.generation,e.run,o,i,r)}catch(m){throw this.runtime.poison(m)}finally{G(c)}if(f===
-1)throw this.runtime.refusal();if(f<0){let m=this.answered(f,t);return this.runtime.carryOut(),m}let p=this.waiting(f,u,
e,s);return d||this.runtime.carryOut(),p}answered(e,t){return e===Cs?this.runtime.answer(void 0):e===Pi?this.runtime.answer(
Promise.reject(Cn(this.runtime,t.slot,t.generation))):this.runtime.answer(this.pastResult(t))}waiting(e,t,r,s){return new Promise(
(o,i)=>{this.keep({wait:e,live:t,actor:r,resolve:o,reject:i},s),this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:t,
latest:r}){let s=this.runtime.call(o=>o.lastRun(e,t));return r.result!==void 0&&(s===0||r.run===s)?r.result:ue.of(this.runtime.
lookup.snapshot(e,t),r)}waitMany(e,t,{all:r,idle:s,timeoutMs:o},i,u){let d=new Uint32Array(t.flatMap(p=>[p.slot,p.generation])),
l=(r?1:0)+(s?2:0),c=this.runtime.call(p=>p.waitMany(h(),e.slot,e.generation,e.run,d,l,o));if(c===-1)throw this.runtime.refusal();
if(c>=0)return this.opened(c,u,void 0,i);let f=i(c===Cs,this.runtime.call(p=>p.told())??[]);return this.runtime.carryOut(),
Promise.resolve(f)}cancel(e,t,r,s,o=Number.NaN,i){return this.settled(u=>u.cancel(h(),e.slot,e.generation,e.run,t,r,v.indexOf(
s),o),i)}settled(e,t){let r=this.runtime.call(e);if(r===-1)throw this.runtime.refusal();let s={acked:Es(this.runtime)},o=this.
opened(r,t,Ei);return r===_s?Promise.resolve(s):o.then(()=>s)}opened(e,t,r,s){let o=e===_s?Promise.resolve(void 0):new Promise(
(i,u)=>{this.keep({wait:e,live:void 0,read:s,resolve:i,reject:u},t,r),this.runtime.hosts.keepAwake()});return this.runtime.
carryOut(),o}drain(e){this.runtime.act(r=>r.startDrain(h(),e));let t=this.runtime.call(r=>r.drain(h(),e));return this.runtime.
keepAlive.begin(),new Promise((r,s)=>{this.untilClosed.add(s),this.runtime.hosts.keepAwake(),t.then(o=>{this.untilClosed.
delete(s)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(o)},o=>s(this.runtime.poison(o)))})}keep(e,t,r="\
the wait was aborted; that touches no sub-agent"){let{wait:s}=e,o=ae(s);this.open[o]===void 0?this.open[o]=e:this.crowded.
set(s,e),this.runtime.keepAlive.begin(),this.count+=1,t!==void 0&&this.follow(e,t,r)}take(e){let t=ae(e),r=this.open[t];
if(r?.wait===e)return this.open[t]=void 0,r;if(this.crowded.size===0)return;let s=this.crowded.get(e);return this.crowded.
delete(e),s}done(e,t,r){let s=this.take(e);if(s===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.
hosts.keepAwake();let{resolve:o,unfollow:i}=s,u=s.live?.latest;i?.();try{u===void 0?o(s.read===void 0?t:s.read(t,r??[])):
u.result===void 0&&!t?this.endWithout(s,u):o(t?void 0:u.result)}catch(d){s.reject(d)}}endWithout({actor:e,resolve:t,reject:r},s){
let{slot:o,generation:i}=s,{runtime:u}=this;if(u.call(l=>l.question(o,i))!==void 0){t(u.answer(Promise.reject(Cn(u,o,i))));
return}let d=ue.movedToBackground(s);d!==void 0?t(u.answer(d)):e!==void 0&&this.waitFor(e,s,Number.POSITIVE_INFINITY).then(
t,r)}rejectAll(e){for(let t of[...this.open,...this.crowded.values()])t!==void 0&&(t.unfollow?.(),t.reject(e));this.open.
length=0,this.crowded.clear(),this.count=0;for(let t of this.untilClosed)t(e);this.untilClosed.clear()}follow(e,t,r){let{
wait:s}=e,o=ae(s),i=a(()=>{this.open[o]!==e&&this.crowded.get(s)!==e||(delete e.actor,e.reject(new g("aborted",r,{},{cause:t.
reason})),this.runtime.unasked(u=>u.endWait(h(),o,s)),this.runtime.carryOut())},"fire");if(t.aborted){i();return}e.unfollow=
En(t,i)}};var $t=class{static{a(this,"Wakes")}#e;#t=new Map;#n=new Set;#r=new Set;constructor(e){this.#e=e}register(e,t,r){r===void 0?
this.#t.delete(e):this.#t.set(e,{scope:t,onWake:te(r)})}mark(e){this.#t.has(e)&&(this.#n.size===0&&queueMicrotask(()=>this.#s()),
this.#n.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#t.has(e)&&
this.#e.unasked(t=>t.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#t.clear(),this.#r.clear()}#s(){
let e=this.#n;this.#n=new Set;for(let t of e){let r=this.#t.get(t),s=this.#e.unasked(o=>o.pendingNotices(t));r===void 0||
s===void 0||s===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:s})),this.#e.unasked(o=>o.woken(h(),t)),this.#e.carryOut())}
this.review()}};function Ns(n){return(typeof n=="string"?n.trim()===""?void 0:JSON.parse(n):n)??{}}a(Ns,"parsed");var Mt=class{static{a(this,"News")}calls=new Set;isAwaited=!1;add(e){this.calls.add(e),!this.isAwaited&&(this.isAwaited=
!0,setTimeout(()=>this.tell(),0))}delete(e){this.calls.delete(e)}tell(){this.isAwaited=!1;let e=[...this.calls];this.calls.
clear();for(let t of e)t.tell()}},Ft=class{static{a(this,"Updates")}news;newest=void 0;readers=void 0;constructor(e){this.
news=e}push(e){this.newest=e,this.readers!==void 0&&this.news.add(this)}read(e){let t=new Fn(e);return this.readers??=[],
this.readers.push(t),e.then(r=>t.end(r),()=>t.end(void 0)),this.newest!==void 0&&this.news.add(this),t}tell(){let{newest:e,
readers:t=[]}=this;if(e!==void 0)for(let r of t)r.tell(e)}end(){this.newest=void 0,this.readers!==void 0&&this.news.delete(
this)}},Mn=Object.freeze({value:void 0,done:!0}),Fn=class{static{a(this,"Reader")}answer;unread=void 0;waiting=[];settled=void 0;isOver=!1;constructor(e){
this.answer=e}[Symbol.asyncIterator](){return this}next(){let e=this.line();return e!==void 0?Promise.resolve({value:e,done:!1}):
this.settled!==void 0||this.isOver?Promise.resolve(this.last()):new Promise(t=>{this.waiting.push(t)})}return(){this.isOver=
!0;for(let e of this.waiting.splice(0))e(Mn);return Promise.resolve(Mn)}tell(e){if(this.unread=e,this.waiting.length===0)
return;let t=this.line();t!==void 0&&this.waiting.shift()?.({value:t,done:!1})}line(){let{unread:e}=this;if(!(e===void 0||
this.isOver)){this.unread=void 0;try{return e().text}catch{return}}}end(e){this.settled={text:e};let{waiting:t}=this;this.
waiting=[];for(let r of t)r(this.last())}last(){if(this.isOver)return Mn;this.isOver=!0;let e=this.settled?.text;return e===
void 0?this.answer.then(t=>({value:t,done:!1})):{value:e,done:!1}}};function Ms(n,e){let{name:t,label:r,description:s}=e,o=Ni({...e.schema},u=>e.check(u)),i=new Kn(n,e);return{name:t,label:r,
description:s,parameters:o,inputSchema:o,execute(...u){return u.length>1&&_i(u[0])?i.byPi(u):i.byOthers(u[0],u[1])}}}a(Ms,
"toolObject");function _i(n){return typeof n=="string"&&!/^\s*[{["]/.test(n)}a(_i,"isCallId");var Kn=class{static{a(this,
"Caller")}runtime;body;news=new Mt;constructor(e,t){this.runtime=e,this.body=t}async byPi([e,t,r,s]){let{body:o}=this,i=a(
c=>{let f={content:[{type:"text",text:c.text}],details:o.detailsOf(c)};return s(f)},"sink"),u=typeof s=="function"?this.
telling(i):void 0,{text:d,details:l}=await this.answered(t,{signal:$s(r),toolCallId:e,progress:u});return{content:[{type:"\
text",text:d}],details:l}}byOthers(e,t){let r=new Ft(this.news),s;try{s=this.answered(e,this.contextOf(t,r)).then(({text:o})=>(r.
end(),o))}catch(o){s=Promise.reject(o)}return Object.defineProperty(s,Symbol.asyncIterator,{value:a(()=>r.read(s),"value")})}answered(e,t){
return this.runtime.answer(this.body.call(e,t))}contextOf(e,t){let{signal:r,abortSignal:s,toolCallId:o,onUpdate:i,writer:u,
outputWriter:d}=O("the options of the call",()=>{let f=Object(e);return{signal:F(f,"signal"),abortSignal:F(f,"abortSigna\
l"),toolCallId:F(f,"toolCallId"),onUpdate:F(f,"onUpdate"),writer:F(f,"writer"),outputWriter:F(f,"outputWriter")}}),l=typeof i==
"function"?i:Ci(u,d,o),c=l&&this.telling(l);return{signal:$s(r??s),toolCallId:typeof o=="string"?o:void 0,progress(f){t.
push(f),c?.(f)}}}telling(e){return t=>this.runtime.tell(()=>e(t()))}};function $s(n){return n==null?void 0:Ye("`signal`",
n)}a($s,"signalFrom");function Ci(n,e,t){if(typeof n=="function")return r=>n({type:"subagent-progress",toolCallId:t,...r});
if(typeof e=="function")return r=>{Promise.resolve(e({type:"data-subagent-progress",data:{toolCallId:t,...r}})).catch(()=>{})}}
a(Ci,"sinkOf");function Ni(n,e){let t=JSON.stringify(n),r=a(()=>JSON.parse(t),"plain");return Object.defineProperty(n,"~\
standard",{enumerable:!1,value:{version:1,vendor:"subagents",validate(s){let o=e(s);return"params"in o?{value:Ns(s)}:{issues:o.
mistakes.map(i=>({message:i}))}},jsonSchema:{input:r,output:r}}})}a(Ni,"withStandard");function Fs(n){return n===void 0?"Send it a message to answer.":`${n} answers it.`}a(Fs,"howToAnswer");function Le(n,e,t,r){if(t===void 0)return r.text;try{let s=t(r);if(typeof s=="string"&&s!=="")return s;n.report(b(`what \
\`texts.${e}\` returns`,"a text that is not empty",s))}catch(s){n.report(s)}return r.text}a(Le,"said");function Dn(n,{taskId:e,hostTaskId:t}){if(t===null)return e;let r=n.write(e),s=n.call(u=>u.find(0,0,0,r));if(s<0)return e;
let{slot:o,generation:i}=J(s);return n.call(u=>u.toldId(o,i))}a(Dn,"idTold");var Kt=class{static{a(this,"Answers")}runtime;options;others;constructor(e,t,r){this.runtime=e,this.options=t,this.others=
r}refused(e,t,r=Mi(t)){let s=`No sub-agent was started: ${e}`,{texts:o}=this,i=r===void 0?Le(this.runtime,"refused",o?.refused,
{reason:e,text:s}):Le(this.runtime,"limitReached",o?.limitReached,{...r,text:s}),u=this.detailsOfNone(t),{taskId:d,status:l}=u;
return{text:this.told(i,d||null,l,i),details:u}}reported(e){let t=this.detailsOfNone();return{text:this.isJson&&yn(e)===
void 0?we({...yt(null,"refused",null),output:e}):e,details:t}}started(e,t){let{taskId:r,hostTaskId:s,slot:o,generation:i}=e,
{collect:u}=this.others,d=this.runtime.call(R=>R.toldId(o,i)),l=e.snapshot(),{label:c}=l,f=Ds(l),p=`${wt({label:c,taskId:d})}${u===
void 0?"":` ${u} gets its result.`}`,m=Le(this.runtime,"started",this.texts?.started,{id:d,taskId:r,hostTaskId:s,label:c,
text:p}),w=this.told(m,r,f),k={taskId:r,background:!0,status:f,durationMs:null,turns:null,cost:null};return s!==void 0&&
(k.hostTaskId=s),{text:w,details:this.withModel(k,t)}}startedBefore(e){let{taskId:t,status:r,label:s,modelId:o}=e,i=`Sub\
agent [${I(s,re)}] was started before (id: ${Dn(this.runtime,e)}); it is ${r}.`;return{text:this.told(i,t,r),details:this.
withModel(Ks(e,!0,r),o??void 0)}}goesOn(e){let t=Ds(e),r=`The call was aborted; sub-agent ${Dn(this.runtime,e)}, which w\
as started before, goes on.`;return{text:this.told(r,e.taskId,t),details:this.withModel(Ks(e,!1,t),e.modelId??void 0)}}asked(e,t,r){
let{slot:s,generation:o,taskId:i}=e,d=`${t===void 0?`Subagent [${I(e.brief().label,re)}] (id: ${this.runtime.call(f=>f.toldId(
s,o))}) asked, and has been answered meanwhile.`:`${t}
${Fs(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?we({...yt(i,
"running",null),output:d}):d,c={taskId:i,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(c,r)}}ended(e,t,r){let{status:s,hostStatus:o}=t,{turns:i,costUsd:u,durationMs:d}=t.figures,{rest:l}=this.
others,c=l!==void 0&&!this.isJson&&this.isCut(t.output)?`${t.text}
${l} shows what was left out.`:t.text,f={taskId:e.taskId,background:e.background,status:s,durationMs:d,turns:i,cost:u};t.
hostTaskId!==void 0&&(f.hostTaskId=t.hostTaskId),o!==void 0&&(f.hostStatus=o),t.artifacts.length>0&&(f.artifacts=t.artifacts);
let p=s==="completed"?"completed":"failed",m=this.texts?.[p];return{text:m===void 0?c:Le(this.runtime,p,m,this.factsOf(e,
t,f,c)),details:this.withModel(f,r)}}isCut(e){let t=M(this.runtime,"inlineBytes");return e.length*3>t&&this.runtime.write(
e)>t}forgotten(e,t){let{taskId:r,background:s}=e,o="forgotten",i=`Sub-agent ${r} was ended before it had done anything, \
and has been forgotten.`,u={taskId:r,background:s,status:o,durationMs:null,turns:null,cost:null};return{text:this.told(i,
r,o,i),details:this.withModel(u,t)}}detailsOfNone(e){let t=e?.code==="idempotency_forgotten",r=t?e.details.taskId:"",s=t?
"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:s,durationMs:null,turns:null,cost:null})}get texts(){
return this.isJson?void 0:this.options.texts}get isJson(){return this.options.format==="json"}told(e,t,r,s=null){return this.
isJson?we(yt(t,r,s)):e}factsOf(e,t,{turns:r,cost:s,durationMs:o},i){let{taskId:u,slot:d,generation:l}=e,{hostTaskId:c,status:f,
stopReason:p,output:m}=t,w=this.runtime.call(x=>x.toldId(d,l)),k=$i(e),R=i.indexOf(`
`),S=R<0?"":i.slice(R+1);return{id:w,taskId:u,hostTaskId:c,label:k,status:f,stopReason:p,turns:r,cost:s,durationMs:o,output:m,
fenced:S,text:i}}withModel(e,t){try{let r=t??this.runtime.functions.getModelId?.();return typeof r=="string"&&(e.modelId=
r),e}catch{return e}}};function Ks(n,e,t){return{...Ki(n),taskId:n.taskId,background:e,status:t,durationMs:null,turns:null,
cost:null}}a(Ks,"openDetails");function Ds({status:n}){return n==="pending"?"pending":"running"}a(Ds,"underWay");function ne(n){
return Xt(n)&&n.code!=="disposed"&&n.code!=="internal"}a(ne,"isRefusal");function $i(n){try{return n.brief().label}catch(e){
if(ne(e))return"";throw e}}a($i,"labelOf");function Mi(n){if(n===void 0||!Fi.has(n.code))return;let{active:e,limit:t}=n.
details;return{active:e,limit:t}}a(Mi,"fullBy");var Fi=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function Ki({hostTaskId:n}){return n===null?{}:{hostTaskId:n}}a(Ki,"hostIdOf");function Ls(n){let e=0,t="";return(r,s)=>{e=s.turn??e,t=s.message??t,n(()=>Di(r,e,t))}}a(Ls,"watcher");function Di(n,e,t){
let{label:r}=n.brief(),s=e===0?"has started":`is at turn ${e}`,o=`[${I(r,re)}] ${s}${t===""?"":`: ${I(t,Be)}`}`;return{taskId:n.
taskId,label:r,turn:e,message:t,text:o}}a(Di,"progressOf");var Dt=class{static{a(this,"SpawnCall")}runtime;actor;options;answers;isAlone;constructor(e,t,r,s={},o=!1){this.isAlone=
o,this.runtime=e,this.actor=t,this.options=Object.assign(Object.create(null),r),this.answers=new Kt(e,this.options,s)}run(e,t){
this.runtime.check();let{onDetails:r}=this.options,s=this.answer(e,t);return r===void 0?s:this.detailed(s,r,t.toolCallId)}async detailed(e,t,r){
let s=await this.runtime.answer(e);return this.runtime.tell(()=>t(s.details,r)),s}answer(e,t){let{signal:r,toolCallId:s,
progress:o}=t;if("mistakes"in e)return this.refused(`${e.mistakes.join("; ")}. Correct the arguments and call again.`);let i=this.
hostLimit();if(i!==void 0){let{instructions:S}=e.params;return this.runtime.refusals.tell("spawn",this.actor,S,new g("sp\
awn_denied",i.why)),this.refused(i.why,void 0,i.full)}if(r?.aborted===!0)return this.refused("the call was aborted befor\
e it began.");let{params:u,checked:d}=e,l,c,{backgroundTimeoutMs:f}=this.options,p=this.keyOf(s,u),m=this.originOf(),w=this.
metadataOf(s,u);try{let S=V("what `idempotencyKey` returns",p),U=S===void 0&&m===void 0&&w===void 0?d:{...d,...S!==void 0&&
{idempotencyKey:S},...m!==void 0&&{origin:m},...w!==void 0&&{metadata:w}};c=Ne(U,this.runtime,!0),c.background&&f!==void 0&&
(c=Ne({...U,timeoutMs:f},this.runtime,!0)),c.signal=r,c.answers=this.answerers,this.options.format==="json"&&(pt(c).json=
!0),o!==void 0&&!c.background&&(c.watch=Ls(o)),l=ks(this.runtime,this.actor,c,u)}catch(S){if(ne(S))return typeof S.details.
report=="string"?Promise.resolve(this.answers.reported(S.details.report)):this.refused(`${Ui(He(S))}${Bi(S.code)}`,S);throw S}
let k=c.staged?.modelId??this.modelOf(l);return c.repeated!==!0&&!c.background?this.awaited(l,k):(c.repeated===!0?this.repeated(
l,c.background,c.signal):this.begun(l,c.signal,k)).catch(S=>this.endIn(S,l,k))}refused(e,t,r){return Promise.resolve(this.
answers.refused(e,t,r))}endIn(e,t,r){if(ne(e)&&t.result!==void 0)return this.answers.ended(t,t.result,r);if(ne(e)&&e.code===
"forgotten")return this.answers.forgotten(t,r);throw e}async begun(e,t,r){return await(e.named&&Bn(e.named.promise,M(this.
runtime,"graceMs"))),this.runtime.check(),Li(t)||this.isAlone&&e.result?.success===!1?this.awaited(e,r):this.movedOn(e,r)}async awaited(e,t){
try{let r=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,t):
this.answers.ended(e,r,t)}catch(r){return ne(r)&&r.code==="needs_input"?this.asks(e,t).catch(s=>this.endIn(s,e,t)):this.
endIn(r,e,t)}}keyOf(e,t){let{idempotencyKey:r}=this.options;return r===void 0?void 0:r(e,t)}metadataOf(e,t){let{metadata:r}=this.
options;return typeof r=="function"?r(e,t):r}originOf(){let{origin:e}=this.options;return typeof e=="function"?e():e}async repeated(e,t,r){
let s=this.runtime.lookup.snapshot(e.slot,e.generation),o=s.modelId??void 0;if(t)return this.answers.startedBefore(s);try{
let i=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY,r);return i.backgrounded?this.answers.started(
e,o):this.answers.ended(e,i,o)}catch(i){if(ne(i)&&i.code==="needs_input")return this.asks(e,o);if(!(ne(i)&&i.code==="abo\
rted"))throw i;return this.answers.goesOn(s)}}get answerers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,t){
let{slot:r,generation:s}=e,{actor:o}=this,i=this.runtime.call(d=>d.questionText(r,s));return this.runtime.act(d=>d.moveToBackground(
h(),o.slot,o.generation,o.run,r,s))?(this.letGoOfCall(e),this.answers.asked(e,i,t)):this.awaited(e,t)}movedOn(e,t){return this.
letGoOfCall(e),this.answers.started(e,t)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:t}=this.
runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=t?.();return{why:`${r===void 0?"the limit of sub-agents is \
reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait until one ends, or do the work yourself.`,full:{active:r?.
active,limit:r?.limit}}}catch(r){return{why:`the host could not say whether a sub-agent may start: ${I(A(r),We)}.`}}}modelOf({
slot:e,generation:t}){return this.runtime.isClosed?void 0:this.runtime.call(r=>r.modelId(e,t))}};function Li(n){return n?.
aborted===!0}a(Li,"hasFired");function Ui(n){return/[.!?…]$/u.test(n)?n:`${n}.`}a(Ui,"sentence");function Bi(n){return[
"concurrency_limit","queue_full","children_limit"].includes(n)?" Wait until one ends, or do the work yourself.":["budget\
_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].includes(n)?" Do the work yourself.":""}a(Bi,"advi\
ceOn");function Us(n,e=[]){try{return Wi(typeof n=="string"?JSON.parse(n):n,e)}catch(t){return{mistakes:[`the arguments can't b\
e read: ${I(A(t),We)}`]}}}a(Us,"checkArguments");function Wi(n,e){if(typeof n!="object"||n===null||Array.isArray(n))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${y(n)}`]};let t=[],r=a(m=>F(n,m),"given"),[s,o]=[
r("instructions"),r("systemPrompt")],[i,u,d]=[r("maxTurns"),r("maxCost"),r("background")],l=e.length>0?r("agent"):void 0,
c=Gi(r("tools")),f=a((m,w,k)=>{t.push(`\`${m}\` must be ${w}, got ${y(k)}`)},"wrong");if((typeof s!="string"||s.trim()===
"")&&f("instructions","a text that says the whole task",s),!de(c)&&!(Array.isArray(c)&&c.every(m=>typeof m=="string"))&&
f("tools","a list of tool names",c),!de(o)&&typeof o!="string"&&f("systemPrompt","a text",o),!de(i)&&!(Number.isInteger(
i)&&i>=1)&&f("maxTurns","a whole number of at least 1",i),!de(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
f("maxCost","a number of US dollars above 0",u),!de(d)&&typeof d!="boolean"&&f("background","true or false",d),!de(l)&&!(typeof l==
"string"&&e.includes(l))&&f("agent",`one of ${e.join(", ")}`,l),t.length>0)return{mistakes:t};let p=Object.entries({instructions:s,
tools:c,systemPrompt:o,maxTurns:i,maxCost:u,background:d,agent:l}).filter(([,m])=>!de(m));return{params:n,checked:Object.
fromEntries(p)}}a(Wi,"check");function Gi(n){return Array.isArray(n)?sr("`tools`",n):n}a(Gi,"listOf");function de(n){return n==
null}a(de,"absent");function Bs(n,e){return Ji(n,Ke,{},e)}a(Bs,"makeTool");function Ji(n,e,t,r,s=!1){let{names:o,descriptions:i}=n.agents,u=Hi(
r.parameters,o),d=o.length===0?r.description:`${r.description}

What \`agent\` may name:
${i}`,l=a(c=>Us(c,o),"check");return Vi(new Dt(n,e,t,{},s),{name:r.name,description:d,schema:u,check:l})}a(Ji,"assemble");
function Hi(n,e){if(e.length===0)return{...n};let t={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...n,properties:{...n.properties,agent:t}}}a(Hi,"withAgents");function Vi(n,e,t){let{
name:r,description:s,schema:o,check:i}=e;return Ms(n.runtime,{name:r,label:"Sub-agent",description:s,schema:o,check:a(u=>i(
u),"check"),call(u,d){let l=i(u);return t?.(l,d)??n.run(l,d)},detailsOf:a(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}a(Vi,"spawnTool");var Lt=class{static{a(this,"Runtime")}host;door;core;functions;agents=new ye(void 0);profiles=new ke(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;reporting=a(
e=>this.report(e),"reporting");scratch;runs=new _t(this);hosts;waits=new Nt(this);lookup=new Tt(this);listeners;refusals=new At(
this);sessionData=new Ct(this);contexts=new dt;pins=new Et(this);wakes=new $t(this);signals=new Ot;keepAlive;alarm;runMaker;closed;constructor(e,t,r){
this.functions=t,this.runMaker=r,this.door=new St(this),this.alarm=new le(qi(ve(this.door))),this.keepAlive=new Pt(this.
alarm,this),this.host=ls(this,this.door,this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=s=>this.poison(s),
this.scratch=new Ve(this.core,e.memory),this.hosts=new It(this,this.scratch,this.alarm),this.listeners=new xt(this,this.
scratch),this.gates=new xe(this,{},{})}check(){if(this.closed!==void 0)throw this.closed}get isClosed(){return this.closed!==
void 0}get isDisposed(){return this.closed?.code==="disposed"}call(e){this.check();let t=W(this);try{return e(this.core)}catch(r){
throw this.poison(r)}finally{G(t)}}carryOut(){if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.
carryOut();return}let e=W(this);try{this.core.carryOut()}catch(t){this.poison(t)}finally{G(e)}}act(e){let t=this.call(e);
return this.carryOut(),this.expectSound(),t}order(e){if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){
if(this.closed!==void 0&&!this.isDisposed)throw this.closed}unasked(e){if(this.closed!==void 0)return;let t=W(this);try{
return e(this.core)}catch(r){this.poison(r);return}finally{G(t)}}alone(e){e.catch(t=>{t!==this.closed&&this.report(t)})}refusal(){
let{code:e,message:t,told:r,details:s}=this.call(o=>o.refusal());return this.carryOut(),Je(new g(e,t,s),r)}ask(e){if(!this.
call(e))throw this.refusal()}together(e){if(this.journal?.isSync===!0)return this.journal.together(e);let t=this.call(r=>r.
hold());try{return e()}finally{t&&this.call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.
journal.answer(e)}onceKept(e){this.journal?.isSync===!0?this.alone(this.journal.answer(void 0).then(e)):e()}write(e){try{
return this.scratch.write(e)}catch(t){throw this.poison(t)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(t){throw this.
poison(t)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(h())),this.
carryOut(),this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){
return _n(this,e)}makeTool(e){return Bs(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let t=`${e} a\
bandoned host functions are still running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(
new g("abandoned_limit",t,{limit:e,option:"maxAbandoned"}))}report(e){Te(e);let{onError:t}=this.functions;t===void 0?vn(
e):On(t,vn,e)}tell(e,t){On(e,this.reporting,t)}dispose(){this.end(new g("disposed","the manager has been disposed"))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(t=>t.setAside()),this.close(
e),Rn(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(fs()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let t=new g("internal",`the man\
ager's core failed: ${A(e)}`);this.close(t),Rn(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.refusals.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.
elsewhere.clear(),this.wakes.clear(),this.signals.clear()}};function qi(n){return()=>n.deref()?.runtime?.tick()}a(qi,"ti\
ckThrough");var Ws=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],Yi=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function Gs(n,e,t,r){let{functions:s,bounds:o,settings:i,tools:u,agents:d,profiles:l,policies:c,mainLimits:f,bus:p}=O("t\
he options of a manager",()=>zi(e)),m=new Lt(n,s,t);m.agents=d,m.profiles=l,p!==void 0&&(m.functions.onWake=as(p,w=>{m.isClosed||
m.report(w)},w=>m.onceKept(w)));try{r?.begin(m),o.apply(m,i),m.gates=new xe(m,c,f),m.contexts.matter&&m.call(k=>k.tellForgotten());
let{blockedTools:w}=m.gates.sub;w.length>0&&m.order(k=>k.blockTools(h(),[...w])),u!==void 0&&m.order(k=>k.setTools(h(),k.
defaultSession(),u))}catch(w){throw m.dispose(),w}return m}a(Gs,"open");function zi(n){let e=T("the options of a manager",
n),t={},r=new ht,s={},o,i=new ye(e.agents),u=new ke(e.profiles),d={},l,c={};for(let[f,p]of Object.entries(e))if(!(p===void 0||
f==="agents"||f==="profiles")){if(Ws.includes(f)){if(typeof p!="function")throw b(`\`${f}\``,"a function",p);t[f]=f==="o\
nWake"?te(p):p}else if(!r.take(f,p))if(f==="retry")s.retry=ct(f,p);else if(f==="bus"){if(e.onWake!==void 0)throw Q("`bus\
` and `onWake`",f);l=us(p)}else if(f==="modelId"){let m=V("`modelId`",p);if(e.getModelId!==void 0)throw Q("`modelId` and\
 `getModelId`",f);t.getModelId=()=>m}else if(f==="tools")o=Z("`tools`",p);else if(f==="policies")d=Xi(p);else if(f==="ma\
inLimits")c=Qi("mainLimits",p);else throw Re("a manager",f,[...Ws,...Vr,...Yi])}return i.checkProfiles(u),{functions:t,bounds:r,
settings:s,tools:o,agents:i,profiles:u,policies:d,mainLimits:c,bus:l}}a(zi,"read");function Xi(n){if(Array.isArray(n))throw b(
"`policies`","an object with subAgents or main",n);let{subAgents:e,main:t,...r}=T("`policies`",n);return H("policies",r,
["subAgents","main"]),{...e!==void 0&&{subAgents:e},...t!==void 0&&{main:t}}}a(Xi,"policySets");function Qi(n,e){let{maxTurns:t,
maxContextTokens:r,timeoutMs:s,...o}=T(`\`${n}\``,e);H(n,o,["maxTurns","maxContextTokens","timeoutMs"]);let i={},u=N(`\`${n}\
.maxTurns\``,t),d=N(`\`${n}.maxContextTokens\``,r),l=Qe(`\`${n}.timeoutMs\``,s);return u!==void 0&&(i.maxTurns=u),d!==void 0&&
(i.maxContextTokens=d),l!==void 0&&(i.timeoutMs=l),i}a(Qi,"mainLimitsOf");function Em(n,e){return Gs(n,e,(t,r)=>new ut(t,r))}a(Em,"open");export{St as Door,ps as ENDED,Ll as MOVED,Dl as PENDING,Ol as abortRun,Cl as askDone,ls as attach,Fl as consumerGate,W as enter,
Ml as facts,fs as isInside,G as leave,Kl as makeTool,Em as open,Pl as policiesDue,Rn as release,$l as runEnded,vl as runRetried,
Al as startRun,El as startsStopped,jl as taskClosed,Rl as taskForgotten,Tl as turnReady,Nl as waitDone,_l as wakeAt,Il as wakeSession};
